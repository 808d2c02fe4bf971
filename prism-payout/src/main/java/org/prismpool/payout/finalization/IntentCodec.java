package org.prismpool.payout.finalization;

import java.nio.charset.StandardCharsets;
import org.prismpool.payout.json.JsonException;
import org.prismpool.templates.chain.Hash256;

/** Reads and writes durable intents (spec 03 §6.3). Stateless. */
public final class IntentCodec {

    private IntentCodec() {}

    /**
     * Encodes an intent and computes its identity.
     *
     * @param intent the intent
     * @return text and identity
     */
    public static EncodedIntent encode(CandidateIntent intent) {
        return IntentEncoder.encode(intent);
    }

    /**
     * Decodes an outbox row. Unknown members are ignored.
     *
     * @param rowKey block hash that the row is stored under
     * @param json stored text, in any member order
     * @return the intent
     * @throws InvalidIntentException if it is malformed, incomplete or contradicts itself or its row
     */
    public static CandidateIntent decode(Hash256 rowKey, String json) {
        CandidateIntent intent;
        try {
            intent = new IntentDecoder(json.getBytes(StandardCharsets.UTF_8)).decode();
        } catch (JsonException | IllegalArgumentException malformed) {
            throw new InvalidIntentException(String.valueOf(malformed.getMessage()), malformed);
        }
        if (!intent.solution().hash().equals(rowKey)) {
            throw new InvalidIntentException("block hash differs from its row", null);
        }
        return intent;
    }
}

package org.prismpool.sharewriter.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.read.MinerPayout.CovenantOutput;

/** Outputs that fanout manifests commit to (settlement contract §11.1). */
public final class CovenantOutputs {

    private static final ObjectMapper JSON = new ObjectMapper();

    private CovenantOutputs() {}

    /**
     * Finds the first output of an account in a manifest.
     *
     * @param fanoutTxid id of the manifest's transaction
     * @param manifestJson the manifest
     * @param recipientId recipient
     * @param orderKey order key
     * @param program payout program
     * @return the output, empty if the manifest does not pay this account
     */
    public static Optional<CovenantOutput> find(
            String fanoutTxid, String manifestJson, String recipientId, String orderKey, P2mrProgram program) {
        for (JsonNode output : parse(manifestJson).path("precommitment").path("outputs")) {
            if (output.path("recipient_id").asText().equals(recipientId)
                    && output.path("order_key").asText().equals(orderKey)
                    && output.path("p2mr_program_hex").asText().equals(program.hex())) {
                return Optional.of(of(fanoutTxid, output));
            }
        }
        return Optional.empty();
    }

    /**
     * Reads one output.
     *
     * @param fanoutTxid id of the transaction
     * @param outputJson the output, as a manifest holds it
     * @return the output
     */
    public static CovenantOutput read(String fanoutTxid, String outputJson) {
        return of(fanoutTxid, parse(outputJson));
    }

    private static CovenantOutput of(String fanoutTxid, JsonNode output) {
        return new CovenantOutput(
                fanoutTxid,
                output.path("vout").asInt(),
                output.path("amount_sats").asLong());
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException broken) {
            throw new IllegalStateException("stored manifest is not JSON", broken);
        }
    }
}

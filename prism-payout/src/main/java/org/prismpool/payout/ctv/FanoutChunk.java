package org.prismpool.payout.ctv;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;

/**
 * Recipients of one fanout transaction.
 *
 * @param chunkIndex index of the chunk, unsigned 64 bits
 * @param recipientCount number of recipients, unsigned 64 bits
 * @param amountSats sum of their gross amounts, unsigned 64 bits
 * @param recipients the recipients in account order
 */
public record FanoutChunk(long chunkIndex, long recipientCount, long amountSats, List<SettlementRecipient> recipients) {

    private static final Name CHUNK_INDEX = Name.of("chunk_index");
    private static final Name RECIPIENT_COUNT = Name.of("recipient_count");
    private static final Name AMOUNT_SATS = Name.of("amount_sats");
    private static final Name RECIPIENTS = Name.of("recipients");
    private static final ObjectShape SHAPE =
            ObjectShape.required(CHUNK_INDEX, RECIPIENT_COUNT, AMOUNT_SATS, RECIPIENTS);

    /** Copies the list. */
    public FanoutChunk {
        recipients = List.copyOf(recipients);
    }

    /**
     * Writes the chunk as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(CHUNK_INDEX, chunkIndex);
        out.member(RECIPIENT_COUNT, recipientCount);
        out.member(AMOUNT_SATS, amountSats);
        out.members(RECIPIENTS, recipients, each -> each.write(out));
        out.endObject();
    }

    /**
     * Reads a chunk.
     *
     * @param in the reader
     * @return the chunk
     */
    public static FanoutChunk read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        long index = 0;
        long count = 0;
        long amount = 0;
        List<SettlementRecipient> recipients = new ArrayList<>();
        while (member.next()) {
            switch (member.name()) {
                case "chunk_index" -> index = in.unsigned64();
                case "recipient_count" -> count = in.unsigned64();
                case "amount_sats" -> amount = in.unsigned64();
                default -> {
                    in.array();
                    while (in.hasElement()) {
                        recipients.add(SettlementRecipient.read(in));
                    }
                }
            }
        }
        return new FanoutChunk(index, count, amount, recipients);
    }
}

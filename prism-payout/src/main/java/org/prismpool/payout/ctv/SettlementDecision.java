package org.prismpool.payout.ctv;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;

/**
 * Who of a block's recipients is paid in the coinbase and who by which fanout (settlement specification 5.3).
 *
 * @param mode the mode
 * @param directRecipients paid in the coinbase, account order
 * @param fanoutChunks paid by fanouts
 * @param directRecipientCount number of the first
 * @param fanoutRecipientCount number of recipients in chunks
 * @param fanoutChunkCount number of chunks
 * @param directAmountSats sum in the coinbase
 * @param fanoutAmountSats sum in chunks
 * @param totalAmountSats sum of both
 * @param coinbaseSettlementOutputCount outputs used: reserved, direct and covenants
 * @param reservedCoinbaseOutputCount reserved outputs
 * @param reason the decision in words, part of the audited bytes
 */
public record SettlementDecision(
        SettlementMode mode,
        List<SettlementRecipient> directRecipients,
        List<FanoutChunk> fanoutChunks,
        long directRecipientCount,
        long fanoutRecipientCount,
        long fanoutChunkCount,
        long directAmountSats,
        long fanoutAmountSats,
        long totalAmountSats,
        long coinbaseSettlementOutputCount,
        long reservedCoinbaseOutputCount,
        String reason) {

    private static final Name MODE = Name.of("mode");
    private static final Name DIRECT_RECIPIENTS = Name.of("direct_recipients");
    private static final Name FANOUT_CHUNKS = Name.of("fanout_chunks");
    private static final Name REASON = Name.of("reason");
    private static final Name[] COUNTERS = {
        Name.of("direct_recipient_count"),
        Name.of("fanout_recipient_count"),
        Name.of("fanout_chunk_count"),
        Name.of("direct_amount_sats"),
        Name.of("fanout_amount_sats"),
        Name.of("total_amount_sats"),
        Name.of("coinbase_settlement_output_count"),
        Name.of("reserved_coinbase_output_count")
    };
    private static final ObjectShape SHAPE = ObjectShape.required(
            MODE,
            DIRECT_RECIPIENTS,
            FANOUT_CHUNKS,
            COUNTERS[0],
            COUNTERS[1],
            COUNTERS[2],
            COUNTERS[3],
            COUNTERS[4],
            COUNTERS[5],
            COUNTERS[6],
            COUNTERS[7],
            REASON);

    /** Copies the lists. */
    public SettlementDecision {
        directRecipients = List.copyOf(directRecipients);
        fanoutChunks = List.copyOf(fanoutChunks);
    }

    /**
     * Writes the decision as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(MODE, mode.text());
        out.members(DIRECT_RECIPIENTS, directRecipients, each -> each.write(out));
        out.members(FANOUT_CHUNKS, fanoutChunks, each -> each.write(out));
        long[] counters = {
            directRecipientCount,
            fanoutRecipientCount,
            fanoutChunkCount,
            directAmountSats,
            fanoutAmountSats,
            totalAmountSats,
            coinbaseSettlementOutputCount,
            reservedCoinbaseOutputCount
        };
        for (int i = 0; i < counters.length; i++) {
            out.member(COUNTERS[i], counters[i]);
        }
        out.member(REASON, reason);
        out.endObject();
    }

    /**
     * Reads a decision.
     *
     * @param in the reader
     * @return the decision
     */
    public static SettlementDecision read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        SettlementMode mode = SettlementMode.DIRECT_COINBASE;
        List<SettlementRecipient> direct = new ArrayList<>();
        List<FanoutChunk> chunks = new ArrayList<>();
        long[] counters = new long[COUNTERS.length];
        String reason = "";
        while (member.next()) {
            switch (member.name()) {
                case "mode" -> mode = SettlementMode.read(in);
                case "direct_recipients" -> {
                    in.array();
                    while (in.hasElement()) {
                        direct.add(SettlementRecipient.read(in));
                    }
                }
                case "fanout_chunks" -> {
                    in.array();
                    while (in.hasElement()) {
                        chunks.add(FanoutChunk.read(in));
                    }
                }
                case "reason" -> reason = in.text();
                default -> counters[counterIndex(member.name())] = in.unsigned64();
            }
        }
        return new SettlementDecision(
                mode,
                direct,
                chunks,
                counters[0],
                counters[1],
                counters[2],
                counters[3],
                counters[4],
                counters[5],
                counters[6],
                counters[7],
                reason);
    }

    private static int counterIndex(String name) {
        int index = 0;
        while (!COUNTERS[index].text().equals(name)) {
            index++;
        }
        return index;
    }
}

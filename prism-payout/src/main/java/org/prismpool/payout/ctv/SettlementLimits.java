package org.prismpool.payout.ctv;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;

/**
 * Limits of the coinbase and of fanouts (settlement specification 3.1 and 5). Values out of range are refused when a
 * decision is made.
 *
 * @param maxCoinbaseSettlementOutputs direct outputs, covenants and reserved ones together, 1 to 500
 * @param maxDirectCoinbaseOutputs direct outputs, 0 to 500
 * @param maxFanoutRecipientsPerTransaction recipients of one fanout, 1 to 1160
 * @param reservedCoinbaseOutputs outputs that something else takes, at most the first
 */
public record SettlementLimits(
        long maxCoinbaseSettlementOutputs,
        long maxDirectCoinbaseOutputs,
        long maxFanoutRecipientsPerTransaction,
        long reservedCoinbaseOutputs) {

    /** The operator's defaults: 16, 12, 1000, 0. */
    public static final SettlementLimits DEFAULT = new SettlementLimits(16, 12, 1000, 0);

    private static final long MAX_OUTPUTS = 500;
    private static final long MAX_FANOUT_RECIPIENTS = 1160;

    private static final Name MAX_COINBASE = Name.of("max_coinbase_settlement_outputs");
    private static final Name MAX_DIRECT = Name.of("max_direct_coinbase_outputs");
    private static final Name MAX_FANOUT = Name.of("max_fanout_recipients_per_transaction");
    private static final Name RESERVED = Name.of("reserved_coinbase_outputs");
    private static final ObjectShape SHAPE = ObjectShape.required(MAX_COINBASE, MAX_DIRECT, MAX_FANOUT, RESERVED);

    void check() {
        if (maxCoinbaseSettlementOutputs == 0) {
            throw CtvErrors.settlement("max_coinbase_settlement_outputs must be positive");
        }
        if (Long.compareUnsigned(maxCoinbaseSettlementOutputs, MAX_OUTPUTS) > 0) {
            throw CtvErrors.settlement("max_coinbase_settlement_outputs must be <= 500");
        }
        if (Long.compareUnsigned(maxDirectCoinbaseOutputs, MAX_OUTPUTS) > 0) {
            throw CtvErrors.settlement("max_direct_coinbase_outputs must be <= 500");
        }
        if (maxFanoutRecipientsPerTransaction == 0) {
            throw CtvErrors.settlement("max_fanout_recipients_per_transaction must be positive");
        }
        if (Long.compareUnsigned(maxFanoutRecipientsPerTransaction, MAX_FANOUT_RECIPIENTS) > 0) {
            throw CtvErrors.settlement("max_fanout_recipients_per_transaction must be <= 1160");
        }
        if (Long.compareUnsigned(reservedCoinbaseOutputs, maxCoinbaseSettlementOutputs) > 0) {
            throw CtvErrors.settlement("reserved_coinbase_outputs exceeds max_coinbase_settlement_outputs");
        }
    }

    /**
     * Writes the limits as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(MAX_COINBASE, maxCoinbaseSettlementOutputs);
        out.member(MAX_DIRECT, maxDirectCoinbaseOutputs);
        out.member(MAX_FANOUT, maxFanoutRecipientsPerTransaction);
        out.member(RESERVED, reservedCoinbaseOutputs);
        out.endObject();
    }

    /**
     * Reads limits; all four are mandatory.
     *
     * @param in the reader
     * @return the limits
     */
    public static SettlementLimits read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        long coinbase = 0;
        long direct = 0;
        long fanout = 0;
        long reserved = 0;
        while (member.next()) {
            switch (member.name()) {
                case "max_coinbase_settlement_outputs" -> coinbase = in.unsigned64();
                case "max_direct_coinbase_outputs" -> direct = in.unsigned64();
                case "max_fanout_recipients_per_transaction" -> fanout = in.unsigned64();
                default -> reserved = in.unsigned64();
            }
        }
        return new SettlementLimits(coinbase, direct, fanout, reserved);
    }
}

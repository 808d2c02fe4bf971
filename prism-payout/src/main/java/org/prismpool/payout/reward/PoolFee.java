package org.prismpool.payout.reward;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.window.PayoutIdentity;

/**
 * What the pool takes from one block.
 *
 * @param feeBps configured basis points
 * @param earnedPoolFeeSats the fee itself, unsigned 64 bits
 * @param sweptDustLiabilitySats reward that could not be paid to miners now and stays owed to them, unsigned 64 bits
 * @param amountSats the sum, paid to the pool, unsigned 64 bits
 * @param identity who receives it
 */
public record PoolFee(
        int feeBps, long earnedPoolFeeSats, long sweptDustLiabilitySats, long amountSats, PayoutIdentity identity) {

    private static final Name FEE_BPS = Name.of("fee_bps");
    private static final Name EARNED = Name.of("earned_pool_fee_sats");
    private static final Name SWEPT = Name.of("swept_dust_liability_sats");
    private static final Name AMOUNT_SATS = Name.of("amount_sats");
    private static final Name RECIPIENT_ID = Name.of("recipient_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    FEE_BPS, EARNED, SWEPT, AMOUNT_SATS, RECIPIENT_ID, ORDER_KEY, PROGRAM)
            .except(EARNED, SWEPT);

    /**
     * Writes the fee as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(FEE_BPS, feeBps);
        out.member(EARNED, earnedPoolFeeSats);
        out.member(SWEPT, sweptDustLiabilitySats);
        out.member(AMOUNT_SATS, amountSats);
        identity.writeRecipient(out);
        out.endObject();
    }

    /**
     * Reads a fee.
     *
     * @param in the reader
     * @return the fee
     */
    public static PoolFee read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        int feeBps = 0;
        long earned = 0;
        long swept = 0;
        long amount = 0;
        String recipientId = "";
        String orderKey = "";
        String program = "";
        while (member.next()) {
            switch (member.name()) {
                case "fee_bps" -> feeBps = (int) in.unsigned(0xffff);
                case "earned_pool_fee_sats" -> earned = in.unsigned64();
                case "swept_dust_liability_sats" -> swept = in.unsigned64();
                case "amount_sats" -> amount = in.unsigned64();
                case "recipient_id" -> recipientId = in.text();
                case "order_key" -> orderKey = in.text();
                default -> program = in.text();
            }
        }
        return new PoolFee(feeBps, earned, swept, amount, new PayoutIdentity(recipientId, orderKey, program));
    }
}

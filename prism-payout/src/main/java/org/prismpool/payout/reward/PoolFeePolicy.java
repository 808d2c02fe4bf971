package org.prismpool.payout.reward;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.window.PayoutIdentity;

/**
 * The pool's own cut and who receives it.
 *
 * @param feeBps basis points of the coinbase value, 0 to 65535; more than 10000 is refused when the policy is applied
 * @param identity who receives it
 */
public record PoolFeePolicy(int feeBps, PayoutIdentity identity) {

    private static final Name FEE_BPS = Name.of("fee_bps");
    private static final Name RECIPIENT_ID = Name.of("recipient_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final ObjectShape SHAPE = ObjectShape.required(FEE_BPS, RECIPIENT_ID, ORDER_KEY, PROGRAM);

    /** Checks the range. */
    public PoolFeePolicy {
        if (feeBps < 0 || feeBps > 0xffff) {
            throw new IllegalArgumentException("fee_bps must fit in 16 bits");
        }
    }

    /**
     * Writes the policy as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(FEE_BPS, feeBps);
        identity.writeRecipient(out);
        out.endObject();
    }

    /**
     * Reads a policy.
     *
     * @param in the reader
     * @return the policy
     */
    public static PoolFeePolicy read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        int feeBps = 0;
        String recipientId = "";
        String orderKey = "";
        String program = "";
        while (member.next()) {
            switch (member.name()) {
                case "fee_bps" -> feeBps = (int) in.unsigned(0xffff);
                case "recipient_id" -> recipientId = in.text();
                case "order_key" -> orderKey = in.text();
                default -> program = in.text();
            }
        }
        return new PoolFeePolicy(feeBps, new PayoutIdentity(recipientId, orderKey, program));
    }
}

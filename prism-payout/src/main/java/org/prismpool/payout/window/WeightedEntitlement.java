package org.prismpool.payout.window;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;

/**
 * A claim on a reward in proportion to a weight: counted work in the window, or sats where an amount is to be paid.
 *
 * @param identity who is paid
 * @param weight the weight
 */
public record WeightedEntitlement(PayoutIdentity identity, U128 weight) {

    private static final Name RECIPIENT_ID = Name.of("recipient_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final Name WEIGHT = Name.of("weight");
    private static final ObjectShape SHAPE = ObjectShape.required(RECIPIENT_ID, ORDER_KEY, PROGRAM, WEIGHT);

    /**
     * Writes the entitlement as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        identity.writeRecipient(out);
        out.member(WEIGHT, weight);
        out.endObject();
    }

    /**
     * Reads an entitlement.
     *
     * @param in the reader
     * @return the entitlement
     */
    public static WeightedEntitlement read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String recipientId = "";
        String orderKey = "";
        String program = "";
        U128 weight = U128.ZERO;
        while (member.next()) {
            switch (member.name()) {
                case "recipient_id" -> recipientId = in.text();
                case "order_key" -> orderKey = in.text();
                case "p2mr_program_hex" -> program = in.text();
                default -> weight = in.unsigned128();
            }
        }
        return new WeightedEntitlement(new PayoutIdentity(recipientId, orderKey, program), weight);
    }
}

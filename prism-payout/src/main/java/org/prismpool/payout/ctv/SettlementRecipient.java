package org.prismpool.payout.ctv;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.window.PayoutIdentity;

/**
 * A recipient and its gross amount.
 *
 * @param identity who is paid
 * @param amountSats amount before a fanout fee, unsigned 64 bits
 */
public record SettlementRecipient(PayoutIdentity identity, long amountSats) {

    private static final Name RECIPIENT_ID = Name.of("recipient_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final Name AMOUNT_SATS = Name.of("amount_sats");
    private static final ObjectShape SHAPE = ObjectShape.required(RECIPIENT_ID, ORDER_KEY, PROGRAM, AMOUNT_SATS);

    /**
     * Writes the recipient as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        identity.writeRecipient(out);
        out.member(AMOUNT_SATS, amountSats);
        out.endObject();
    }

    /**
     * Reads a recipient.
     *
     * @param in the reader
     * @return the recipient
     */
    public static SettlementRecipient read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String recipientId = "";
        String orderKey = "";
        String program = "";
        long amount = 0;
        while (member.next()) {
            switch (member.name()) {
                case "recipient_id" -> recipientId = in.text();
                case "order_key" -> orderKey = in.text();
                case "p2mr_program_hex" -> program = in.text();
                default -> amount = in.unsigned64();
            }
        }
        return new SettlementRecipient(new PayoutIdentity(recipientId, orderKey, program), amount);
    }
}

package org.prismpool.payout.coinbase;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.PayoutIdentity;

/**
 * A payout output of a coinbase.
 *
 * @param vout index, unsigned 64 bits
 * @param identity who is paid; the program in lower case
 * @param scriptPubkeyHex output script
 * @param weight weight of the entitlement
 * @param amountSats amount, unsigned 64 bits
 */
public record CoinbaseOutput(long vout, PayoutIdentity identity, String scriptPubkeyHex, U128 weight, long amountSats) {

    private static final Name VOUT = Name.of("vout");
    private static final Name RECIPIENT_ID = Name.of("recipient_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final Name SCRIPT_PUBKEY_HEX = Name.of("script_pubkey_hex");
    private static final Name WEIGHT = Name.of("weight");
    private static final Name AMOUNT_SATS = Name.of("amount_sats");
    private static final ObjectShape SHAPE =
            ObjectShape.required(VOUT, RECIPIENT_ID, ORDER_KEY, PROGRAM, SCRIPT_PUBKEY_HEX, WEIGHT, AMOUNT_SATS);

    /**
     * Writes the output as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(VOUT, vout);
        identity.writeRecipient(out);
        out.member(SCRIPT_PUBKEY_HEX, scriptPubkeyHex);
        out.member(WEIGHT, weight);
        out.member(AMOUNT_SATS, amountSats);
        out.endObject();
    }

    /**
     * Reads an output.
     *
     * @param in the reader
     * @return the output
     */
    public static CoinbaseOutput read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        long vout = 0;
        String recipientId = "";
        String orderKey = "";
        String program = "";
        String script = "";
        U128 weight = U128.ZERO;
        long amount = 0;
        while (member.next()) {
            switch (member.name()) {
                case "vout" -> vout = in.unsigned64();
                case "recipient_id" -> recipientId = in.text();
                case "order_key" -> orderKey = in.text();
                case "p2mr_program_hex" -> program = in.text();
                case "script_pubkey_hex" -> script = in.text();
                case "weight" -> weight = in.unsigned128();
                default -> amount = in.unsigned64();
            }
        }
        return new CoinbaseOutput(vout, new PayoutIdentity(recipientId, orderKey, program), script, weight, amount);
    }
}

package org.prismpool.payout.ctv;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.window.PayoutIdentity;

/**
 * A payout of a fanout transaction.
 *
 * @param vout index, unsigned 32 bits
 * @param identity who is paid
 * @param scriptPubkeyHex output script
 * @param grossAmountSats amount before the fee, unsigned 64 bits
 * @param feeSats part of the fee, unsigned 64 bits
 * @param amountSats amount on chain, unsigned 64 bits
 */
public record FanoutOutput(
        long vout,
        PayoutIdentity identity,
        String scriptPubkeyHex,
        long grossAmountSats,
        long feeSats,
        long amountSats) {

    private static final Name VOUT = Name.of("vout");
    private static final Name RECIPIENT_ID = Name.of("recipient_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final Name SCRIPT_PUBKEY_HEX = Name.of("script_pubkey_hex");
    private static final Name GROSS_AMOUNT_SATS = Name.of("gross_amount_sats");
    private static final Name FEE_SATS = Name.of("fee_sats");
    private static final Name AMOUNT_SATS = Name.of("amount_sats");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    VOUT, RECIPIENT_ID, ORDER_KEY, PROGRAM, SCRIPT_PUBKEY_HEX, GROSS_AMOUNT_SATS, FEE_SATS, AMOUNT_SATS)
            .except(GROSS_AMOUNT_SATS, FEE_SATS);

    /**
     * Returns the gross amount that a settlement has to cover: the stated one, or without one amount and fee.
     *
     * @return sats, unsigned 64 bits
     */
    public long settledGrossSats() {
        return grossAmountSats != 0 ? grossAmountSats : amountSats + feeSats;
    }

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
        if (grossAmountSats != 0) {
            out.member(GROSS_AMOUNT_SATS, grossAmountSats);
        }
        if (feeSats != 0) {
            out.member(FEE_SATS, feeSats);
        }
        out.member(AMOUNT_SATS, amountSats);
        out.endObject();
    }

    /**
     * Reads an output.
     *
     * @param in the reader
     * @return the output
     */
    public static FanoutOutput read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        long vout = 0;
        String recipientId = "";
        String orderKey = "";
        String program = "";
        String script = "";
        long gross = 0;
        long fee = 0;
        long amount = 0;
        while (member.next()) {
            switch (member.name()) {
                case "vout" -> vout = in.unsigned32();
                case "recipient_id" -> recipientId = in.text();
                case "order_key" -> orderKey = in.text();
                case "p2mr_program_hex" -> program = in.text();
                case "script_pubkey_hex" -> script = in.text();
                case "gross_amount_sats" -> gross = in.unsigned64();
                case "fee_sats" -> fee = in.unsigned64();
                default -> amount = in.unsigned64();
            }
        }
        return new FanoutOutput(vout, new PayoutIdentity(recipientId, orderKey, program), script, gross, fee, amount);
    }
}

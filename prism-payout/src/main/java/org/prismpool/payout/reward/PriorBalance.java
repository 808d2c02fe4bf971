package org.prismpool.payout.reward;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.window.PayoutIdentity;

/**
 * What a recipient was owed before this block, or owes when negative (payout specification 8.4).
 *
 * @param recipientId the recipient
 * @param orderKey the ordering key
 * @param p2mrProgramHex the program as hexadecimal text
 * @param balanceSats sats, signed 128 bits
 */
public record PriorBalance(String recipientId, String orderKey, String p2mrProgramHex, BigInteger balanceSats) {

    private static final Name RECIPIENT_ID = Name.of("recipient_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final Name BALANCE_SATS = Name.of("balance_sats");
    private static final ObjectShape SHAPE = ObjectShape.required(RECIPIENT_ID, ORDER_KEY, PROGRAM, BALANCE_SATS);

    /** Checks the range. */
    public PriorBalance {
        if (balanceSats.bitLength() > 127) {
            throw new IllegalArgumentException("balance_sats must fit in 128 bits");
        }
    }

    /**
     * Creates a balance of an identity.
     *
     * @param identity who is owed
     * @param balanceSats sats, signed 128 bits
     * @return the balance
     */
    public static PriorBalance of(PayoutIdentity identity, BigInteger balanceSats) {
        return new PriorBalance(identity.recipientId(), identity.orderKey(), identity.programHex(), balanceSats);
    }

    /**
     * Returns who is owed.
     *
     * @return the identity
     */
    public PayoutIdentity identity() {
        return new PayoutIdentity(recipientId, orderKey, p2mrProgramHex);
    }

    /**
     * Returns the prior-balances digest that the ledger attests (payout specification 10, item 2).
     *
     * @param balances the balances as published, unmerged and in any order
     * @return 64 lower-case digits
     */
    public static String digestHex(List<PriorBalance> balances) {
        List<PriorBalance> sorted = new ArrayList<>(balances);
        sorted.sort((a, b) -> PayoutIdentity.ACCOUNT_ORDER.compare(a.identity(), b.identity()));
        MessageDigest digest = Sha256.newDigest();
        for (PriorBalance balance : sorted) {
            text(digest, balance.recipientId);
            text(digest, balance.orderKey);
            text(digest, balance.p2mrProgramHex);
            digest.update(ByteBuffer.allocate(16)
                    .putLong(balance.balanceSats.shiftRight(64).longValue())
                    .putLong(balance.balanceSats.longValue())
                    .array());
        }
        return Hex.encode(digest.digest());
    }

    private static void text(MessageDigest digest, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(8).putLong(utf8.length).array());
        digest.update(utf8);
    }

    /**
     * Writes the balance as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(RECIPIENT_ID, recipientId);
        out.member(ORDER_KEY, orderKey);
        out.member(PROGRAM, p2mrProgramHex);
        out.member(BALANCE_SATS, balanceSats);
        out.endObject();
    }

    /**
     * Reads a balance.
     *
     * @param in the reader
     * @return the balance
     */
    public static PriorBalance read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String recipientId = "";
        String orderKey = "";
        String program = "";
        BigInteger balance = BigInteger.ZERO;
        while (member.next()) {
            switch (member.name()) {
                case "recipient_id" -> recipientId = in.text();
                case "order_key" -> orderKey = in.text();
                case "p2mr_program_hex" -> program = in.text();
                default -> balance = in.signed128();
            }
        }
        return new PriorBalance(recipientId, orderKey, program, balance);
    }
}

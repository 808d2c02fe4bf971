package org.prismpool.payout.window;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.Utf8Order;

/**
 * Who is paid: a recipient (a miner, or the pool), the key that orders recipients, and the 32-byte P2MR witness program
 * as hexadecimal text in the case it was given.
 *
 * <p>Immutable. Equality is exact: the same program in another case is another identity. Shares that belong together
 * should carry one object ({@link IdentityPool}); its encoded forms are then made once.
 */
public final class PayoutIdentity implements Comparable<PayoutIdentity> {

    /** Account order: order key, recipient, program text, each by code point. */
    public static final Comparator<PayoutIdentity> ACCOUNT_ORDER = PayoutIdentity::compareAsAccount;

    /** Order of reward entitlements: recipient, order key, program text, each by code point. */
    public static final Comparator<PayoutIdentity> REWARD_ORDER = PayoutIdentity::compareAsReward;

    private static final Name RECIPIENT_ID = Name.of("recipient_id");
    private static final Name MINER_ID = Name.of("miner_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final ObjectShape SHAPE = ObjectShape.required(RECIPIENT_ID, ORDER_KEY, PROGRAM);

    private final String recipientId;
    private final String orderKey;
    private final String programHex;
    private final int hash;

    private @Nullable String programKey; // computed on first use; a race computes the same text twice

    // Encoded on first use; a race computes the same bytes twice.
    private volatile byte @Nullable [] minerMembers;
    private volatile byte @Nullable [] recipientMembers;
    private volatile byte @Nullable [] digestFields;

    /**
     * Creates an identity.
     *
     * @param recipientId the recipient, any text
     * @param orderKey the ordering key, any text
     * @param programHex the program as hexadecimal text; checked only where it is used
     */
    public PayoutIdentity(String recipientId, String orderKey, String programHex) {
        this.recipientId = recipientId;
        this.orderKey = orderKey;
        this.programHex = programHex;
        this.hash = (recipientId.hashCode() * 31 + orderKey.hashCode()) * 31 + programHex.hashCode();
    }

    /**
     * Returns the recipient.
     *
     * @return any text
     */
    public String recipientId() {
        return recipientId;
    }

    /**
     * Returns the ordering key.
     *
     * @return any text
     */
    public String orderKey() {
        return orderKey;
    }

    /**
     * Returns the program as it was given.
     *
     * @return hexadecimal text when valid
     */
    public String programHex() {
        return programHex;
    }

    /**
     * Returns the program with ASCII letters in lower case, the key that accounts are merged by.
     *
     * @return hexadecimal text when valid
     */
    public String programKey() {
        String key = programKey;
        if (key == null) {
            key = Hex.asciiLowerCase(programHex);
            programKey = key;
        }
        return key;
    }

    /**
     * Returns this identity with another spelling of the program.
     *
     * @param spelling the program
     * @return the identity
     */
    public PayoutIdentity withProgramHex(String spelling) {
        return spelling.equals(programHex) ? this : new PayoutIdentity(recipientId, orderKey, spelling);
    }

    /**
     * Returns whether this names a merged account rather than another identity does: the smaller order key, then the
     * smaller recipient wins.
     *
     * @param other the other identity
     * @return true if this one is strictly smaller
     */
    public boolean namesBefore(PayoutIdentity other) {
        int byKey = Utf8Order.compare(orderKey, other.orderKey);
        return byKey != 0 ? byKey < 0 : Utf8Order.compare(recipientId, other.recipientId) < 0;
    }

    /**
     * Writes the three members {@code recipient_id}, {@code order_key}, {@code p2mr_program_hex} into the open object.
     *
     * @param out the writer
     */
    public void writeRecipient(CanonicalWriter out) {
        if (!out.isCompact()) {
            writeMembers(out, RECIPIENT_ID);
            return;
        }
        byte[] members = recipientMembers;
        if (members == null) {
            members = CanonicalWriter.bytesOfMembers(inner -> writeMembers(inner, RECIPIENT_ID));
            recipientMembers = members;
        }
        out.encoded(members, 0, members.length);
    }

    /**
     * Writes the three members {@code miner_id}, {@code order_key}, {@code p2mr_program_hex} into the open object.
     *
     * @param out the writer
     */
    public void writeMiner(CanonicalWriter out) {
        if (!out.isCompact()) {
            writeMembers(out, MINER_ID);
            return;
        }
        byte[] members = minerMembers();
        out.encoded(members, 0, members.length);
    }

    /** Returns the members that {@link #writeMiner} writes, in the compact form. */
    byte[] minerMembers() {
        byte[] members = minerMembers;
        if (members == null) {
            members = CanonicalWriter.bytesOfMembers(inner -> writeMembers(inner, MINER_ID));
            minerMembers = members;
        }
        return members;
    }

    /**
     * Reads an object of the three members that {@link #writeRecipient} writes.
     *
     * @param in the reader
     * @return the identity
     */
    public static PayoutIdentity read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String recipientId = "";
        String orderKey = "";
        String programHex = "";
        while (member.next()) {
            switch (member.name()) {
                case "recipient_id" -> recipientId = in.text();
                case "order_key" -> orderKey = in.text();
                default -> programHex = in.text();
            }
        }
        return new PayoutIdentity(recipientId, orderKey, programHex);
    }

    /** Brings the encoded members into the cache; the result means nothing. */
    int touchMinerMembers() {
        return touch(minerMembers);
    }

    /** Brings the encoded digest fields into the cache; the result means nothing. */
    int touchDigestFields() {
        return touch(digestFields);
    }

    private static int touch(byte @Nullable [] encoded) {
        return encoded == null ? 0 : encoded[0] + encoded[encoded.length >> 1] + encoded[encoded.length - 1];
    }

    /** Returns the three texts, each with its length in 8 bytes, as digests take them. */
    byte[] digestFields() {
        byte[] fields = digestFields;
        if (fields == null) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (String text : new String[] {recipientId, orderKey, programHex}) {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                out.writeBytes(ByteBuffer.allocate(8).putLong(utf8.length).array());
                out.writeBytes(utf8);
            }
            fields = out.toByteArray();
            digestFields = fields;
        }
        return fields;
    }

    private void writeMembers(CanonicalWriter out, Name recipient) {
        out.member(recipient, recipientId);
        out.member(ORDER_KEY, orderKey);
        out.member(PROGRAM, programHex);
    }

    private static int compareAsAccount(PayoutIdentity a, PayoutIdentity b) {
        int order = Utf8Order.compare(a.orderKey, b.orderKey);
        if (order == 0) {
            order = Utf8Order.compare(a.recipientId, b.recipientId);
        }
        return order != 0 ? order : Utf8Order.compare(a.programHex, b.programHex);
    }

    private static int compareAsReward(PayoutIdentity a, PayoutIdentity b) {
        int order = Utf8Order.compare(a.recipientId, b.recipientId);
        if (order == 0) {
            order = Utf8Order.compare(a.orderKey, b.orderKey);
        }
        return order != 0 ? order : Utf8Order.compare(a.programHex, b.programHex);
    }

    /** Compares in {@link #REWARD_ORDER}; it is consistent with equality, so that hash tables stay fast when hashes collide. */
    @Override
    public int compareTo(PayoutIdentity other) {
        return compareAsReward(this, other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof PayoutIdentity that
                        && hash == that.hash
                        && recipientId.equals(that.recipientId)
                        && orderKey.equals(that.orderKey)
                        && programHex.equals(that.programHex));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return recipientId + "/" + orderKey + "/" + programHex;
    }
}

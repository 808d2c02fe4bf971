package org.prismpool.payout.json;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Single SHA-256, the hash of documents, leaves and digests. Every method is thread-safe. */
public final class Sha256 {

    private static final int SLICE = 1 << 12;

    private Sha256() {}

    /**
     * Creates an empty digest.
     *
     * @return a digest for one thread
     */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Updates a digest with a long run of bytes, in slices: the virtual machine replaces the loop over the blocks of a slice by
     * the processor's instructions only after some hundred calls, and until then hashes many times slower.
     *
     * @param digest the digest
     * @param bytes the array
     * @param offset first byte
     * @param length number of bytes
     */
    static void update(MessageDigest digest, byte[] bytes, int offset, int length) {
        int at = offset;
        for (int left = length; left > 0; left -= SLICE) {
            digest.update(bytes, at, Math.min(SLICE, left));
            at += SLICE;
        }
    }

    /**
     * Hashes the concatenation of byte strings.
     *
     * @param parts the parts in order
     * @return 32 bytes
     */
    public static byte[] hash(byte[]... parts) {
        MessageDigest digest = newDigest();
        for (byte[] part : parts) {
            update(digest, part, 0, part.length);
        }
        return digest.digest();
    }

    /**
     * Hashes the concatenation of byte strings.
     *
     * @param parts the parts in order
     * @return 64 lower-case digits
     */
    public static String hex(byte[]... parts) {
        return Hex.encode(hash(parts));
    }
}

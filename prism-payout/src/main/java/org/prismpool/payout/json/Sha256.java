package org.prismpool.payout.json;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Single SHA-256, the hash of documents, leaves and digests. Every method is thread-safe. */
public final class Sha256 {

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
     * Hashes the concatenation of byte strings.
     *
     * @param parts the parts in order
     * @return 32 bytes
     */
    public static byte[] hash(byte[]... parts) {
        MessageDigest digest = newDigest();
        for (byte[] part : parts) {
            digest.update(part);
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

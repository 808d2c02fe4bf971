package org.prismpool.templates.chain;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 applied twice: the chain's hash of blocks, transactions and merkle nodes. */
public final class Sha256d {

    private Sha256d() {}

    /**
     * Hashes the concatenation of byte strings.
     *
     * @param parts hashed one after the other
     * @return 32 bytes in internal order
     */
    public static byte[] digest(byte[]... parts) {
        Hasher hasher = new Hasher();
        for (byte[] part : parts) {
            hasher.update(part, 0, part.length);
        }
        byte[] out = new byte[Hash256.SIZE];
        hasher.finish(out, 0);
        return out;
    }

    /**
     * Hashes one byte string.
     *
     * @param bytes input
     * @return the hash
     */
    public static Hash256 hash(byte[] bytes) {
        return Hash256.wrap(digest(bytes));
    }

    /**
     * Hashes a range of bytes.
     *
     * @param bytes source
     * @param offset first byte
     * @param length number of bytes
     * @return the hash
     */
    public static Hash256 hash(byte[] bytes, int offset, int length) {
        byte[] out = new byte[Hash256.SIZE];
        new Hasher().digest(bytes, offset, length, out);
        return Hash256.wrap(out);
    }

    /** A hasher to keep and use again, for hot paths: after construction it allocates nothing. Confined to one thread. */
    public static final class Hasher {

        private final MessageDigest sha256;
        private final byte[] first = new byte[Hash256.SIZE];

        /** Creates a hasher. */
        public Hasher() {
            try {
                sha256 = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform must offer SHA-256", e);
            }
        }

        /**
         * Hashes a range of bytes. The output may be the input array.
         *
         * @param in source
         * @param offset first byte
         * @param length number of bytes
         * @param out receives 32 bytes in internal order from index 0
         */
        public void digest(byte[] in, int offset, int length, byte[] out) {
            sha256.update(in, offset, length);
            finish(out, 0);
        }

        /**
         * Adds bytes to the message that {@link #finish} ends.
         *
         * @param in source
         * @param offset first byte
         * @param length number of bytes
         */
        public void update(byte[] in, int offset, int length) {
            sha256.update(in, offset, length);
        }

        /**
         * Ends the message and leaves the hasher ready for the next one.
         *
         * @param out receives 32 bytes in internal order
         * @param offset where they start
         */
        public void finish(byte[] out, int offset) {
            try {
                sha256.digest(first, 0, first.length);
                sha256.update(first, 0, first.length);
                sha256.digest(out, offset, Hash256.SIZE);
            } catch (DigestException e) {
                sha256.reset();
                throw new IllegalArgumentException("no room for 32 bytes at " + offset, e);
            }
        }
    }
}

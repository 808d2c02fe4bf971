package org.prismpool.app.demo.miner;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 applied twice, with the JDK's digest only. Confined to one thread; allocates nothing per hash. */
final class DoubleSha256 {

    private final MessageDigest digest;

    DoubleSha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Hashes {@code in} and writes the 32 bytes, in digest order, to the start of {@code out}. */
    void hash(byte[] in, byte[] out) {
        try {
            digest.update(in, 0, in.length);
            digest.digest(out, 0, 32);
            digest.update(out, 0, 32);
            digest.digest(out, 0, 32);
        } catch (DigestException e) {
            throw new IllegalStateException("output of 32 bytes is enough for SHA-256", e);
        }
    }
}

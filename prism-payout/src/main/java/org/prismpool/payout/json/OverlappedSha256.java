package org.prismpool.payout.json;

import java.security.MessageDigest;
import java.util.function.Consumer;

/** SHA-256 on a second thread, {@code prism-payout-hash}, while the caller encodes. Every method is thread-safe. */
public final class OverlappedSha256 {

    private OverlappedSha256() {}

    /**
     * Hashes what a producer writes.
     *
     * @param producer writes bytes into the sink, on the calling thread
     * @return 32 bytes
     */
    public static byte[] of(Consumer<ByteSink> producer) {
        MessageDigest digest = Sha256.newDigest();
        OverlappedSink.run("prism-payout-hash", ByteSink.to(digest), producer);
        return digest.digest();
    }
}

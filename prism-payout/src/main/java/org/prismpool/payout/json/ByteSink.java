package org.prismpool.payout.json;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;

/** Where encoded bytes go: a digest, a stream, or several at once. Called on the writer's thread. */
@FunctionalInterface
public interface ByteSink {

    /**
     * Takes bytes; the array may be reused by the caller afterwards.
     *
     * @param bytes the array
     * @param offset first byte
     * @param length number of bytes
     */
    void accept(byte[] bytes, int offset, int length);

    /**
     * Returns a sink that updates a digest.
     *
     * @param digest the digest
     * @return the sink
     */
    static ByteSink to(MessageDigest digest) {
        return (bytes, offset, length) -> Sha256.update(digest, bytes, offset, length);
    }

    /**
     * Returns a sink that writes to a stream.
     *
     * @param stream the stream, not closed by the sink
     * @return the sink; a failed write is an {@link UncheckedIOException}
     */
    static ByteSink to(OutputStream stream) {
        return (bytes, offset, length) -> {
            try {
                stream.write(bytes, offset, length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /**
     * Returns a sink that feeds two sinks in turn.
     *
     * @param next the second sink
     * @return the sink
     */
    default ByteSink and(ByteSink next) {
        return (bytes, offset, length) -> {
            accept(bytes, offset, length);
            next.accept(bytes, offset, length);
        };
    }
}

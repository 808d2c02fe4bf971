package org.prismpool.sharewriter.lease;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Who writes: the exact triple that fences every write (lease contract §3.1).
 *
 * @param writerId name of the writer, non-empty
 * @param epoch manual fence of the operator, 0 or more
 * @param sessionToken names this very process start
 */
public record LeaseIdentity(String writerId, long epoch, String sessionToken) {

    /** Prefix of tokens whose session fences itself quickly: a successor may adopt its lease after a short silence. */
    public static final String SELF_FENCING_PREFIX = "heartbeat-v1:";

    /** Checks the parts. */
    public LeaseIdentity {
        if (writerId.isEmpty()) {
            throw new IllegalArgumentException("writer id must be non-empty");
        }
        if (epoch < 0) {
            throw new IllegalArgumentException("writer epoch must be non-negative");
        }
        if (sessionToken.isEmpty()) {
            throw new IllegalArgumentException("session token must be non-empty");
        }
    }

    /**
     * Creates the identity of a guarded, self-fencing session with a random token.
     *
     * @param writerId name of the writer
     * @param epoch manual fence
     * @param random source of the token
     * @return the identity
     */
    public static LeaseIdentity generate(String writerId, long epoch, SecureRandom random) {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return new LeaseIdentity(
                writerId, epoch, SELF_FENCING_PREFIX + HexFormat.of().formatHex(bytes));
    }

    /**
     * Tells whether the other is the same writer in another or the same session.
     *
     * @param holder holder of the lease
     * @return true if id and epoch are equal
     */
    public boolean sameWriter(LeaseHolder holder) {
        return writerId.equals(holder.writerId()) && epoch == holder.epoch();
    }

    @Override
    public String toString() {
        return "LeaseIdentity[writerId=" + writerId + ", epoch=" + epoch + ", sessionToken=***]";
    }
}

package org.prismpool.sharewriter.lease;

import java.time.Duration;

/**
 * The lease row as the database reported it; all times are the database's.
 *
 * @param writerId holder's name
 * @param epoch holder's epoch
 * @param sessionToken holder's token
 * @param expiresAt expiry as the database prints it, for messages
 * @param updatedAtMicros last renewal in Unix microseconds
 * @param age time since the last renewal, not negative
 * @param untilExpiry time until expiry, zero once expired
 */
public record LeaseHolder(
        String writerId,
        long epoch,
        String sessionToken,
        String expiresAt,
        long updatedAtMicros,
        Duration age,
        Duration untilExpiry) {

    /**
     * Tells whether the holder promised to fence itself quickly.
     *
     * @return true for the token prefix of such sessions
     */
    public boolean selfFencing() {
        return sessionToken.startsWith(LeaseIdentity.SELF_FENCING_PREFIX);
    }

    /** Leaves the token out: whoever knows it can write as the holder. */
    @Override
    public String toString() {
        return "LeaseHolder[writerId=" + writerId + ", epoch=" + epoch + ", sessionToken=***, expiresAt=" + expiresAt
                + ", updatedAtMicros=" + updatedAtMicros + ", age=" + age + ", untilExpiry=" + untilExpiry + "]";
    }
}

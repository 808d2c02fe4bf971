package org.prismpool.app.composition.reader;

import java.time.Duration;
import java.util.Optional;
import org.prismpool.sharewriter.read.ReplicaState;

/**
 * Whether the database may answer, and why not. A pure judgement over what it last said.
 *
 * @param state what follows for answers
 * @param reason why it may not, empty if it may; carries no secret
 */
public record DatabaseVerdict(State state, String reason) {

    /** What follows for answers. */
    public enum State {
        /** It is asked. */
        AVAILABLE,
        /** It is not asked; earlier answers may be repeated within their budget. */
        UNAVAILABLE,
        /** Nothing it said counts as current; nothing is repeated. */
        REFUSED
    }

    private static final DatabaseVerdict AVAILABLE = new DatabaseVerdict(State.AVAILABLE, "");

    /**
     * What is known of a database.
     *
     * @param good what it last said of itself, empty before its first answer
     * @param age time since that answer
     * @param failure why the newest question got no answer, empty if it got one
     */
    record Known(Optional<ReplicaState> good, Duration age, Optional<String> failure) {}

    /** Judges. The stream's last message counts, not the replay: that lags ever more while the primary is idle. */
    static DatabaseVerdict of(Known known, Freshness wanted) {
        Optional<String> stale = wanted.replicaRequired() ? stale(known, wanted.maxLag()) : Optional.empty();
        if (stale.isPresent()) {
            return new DatabaseVerdict(State.REFUSED, stale.get());
        }
        if (known.failure().isPresent()) {
            return new DatabaseVerdict(
                    State.UNAVAILABLE,
                    "the database does not answer: " + known.failure().get());
        }
        return known.good().isPresent()
                ? AVAILABLE
                : new DatabaseVerdict(State.UNAVAILABLE, "the database was not asked yet");
    }

    private static Optional<String> stale(Known known, Duration maxLag) {
        if (known.good().isEmpty()) {
            return Optional.of("the standby has not answered yet"
                    + known.failure().map(text -> ": " + text).orElse(""));
        }
        ReplicaState said = known.good().get();
        if (!said.inRecovery()) {
            return Optional.of(
                    "the server is not in recovery, and PRISM_PUBLIC_REPLICA_MODE=require asks for a standby");
        }
        if (said.receiverMessageAge().isEmpty()) {
            return Optional.of("the standby hears from no primary, or its role may not see that (pg_read_all_stats)");
        }
        Duration silence = said.receiverMessageAge().get().plus(known.age());
        return silence.compareTo(maxLag) > 0
                ? Optional.of("the standby has not heard from its primary for " + silence.toSeconds()
                        + " s, PRISM_PUBLIC_REPLICA_MAX_LAG_SECONDS is " + maxLag.toSeconds())
                : Optional.empty();
    }

    /**
     * Tells whether the database may be asked.
     *
     * @return true without a reason against it
     */
    public boolean available() {
        return state == State.AVAILABLE;
    }
}

package org.prismpool.lifecycle.watchdog;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** Why a process must end at once with a failure. */
public sealed interface FatalReason {

    /**
     * Returns the reason's name in the fatal event.
     *
     * @return one of the closed set of spec 08 section 3.4
     */
    String id();

    /**
     * Returns the numbers that made it due.
     *
     * @return one line without secrets
     */
    String detail();

    /**
     * Loops that have been silent too long.
     *
     * @param overdue sorted {@code name} or {@code name:phase}
     * @param timeout age that was allowed
     */
    record Liveness(SortedSet<String> overdue, Duration timeout) implements FatalReason {

        /** Copies the names. */
        public Liveness {
            overdue = Collections.unmodifiableSortedSet(new TreeSet<>(overdue));
        }

        @Override
        public String id() {
            return "liveness";
        }

        @Override
        public String detail() {
            return "heartbeats overdue: " + String.join(", ", overdue) + " timeout=" + seconds(timeout);
        }
    }

    /**
     * The newest work has not been published for too long.
     *
     * @param budget age that was allowed
     */
    record Publication(Duration budget) implements FatalReason {
        @Override
        public String id() {
            return "publication";
        }

        @Override
        public String detail() {
            return "current work was not published within budget=" + seconds(budget);
        }
    }

    /**
     * Refreshes have been displacing each other for too long although no part has failed.
     *
     * @param budget age that was allowed
     * @param streakAge age of the streak
     */
    record Coordination(Duration budget, Duration streakAge) implements FatalReason {
        @Override
        public String id() {
            return "coordination";
        }

        @Override
        public String detail() {
            return "refresh coordination blocked budget=" + seconds(budget) + " streak_age=" + millis(streakAge);
        }
    }

    /**
     * The writer lease can no longer be proved.
     *
     * @param cause what was missing
     * @param activityAge time since the last sign of life of the heartbeat
     * @param serverProvenAge time since the database last answered
     */
    record LeaseHeartbeat(String cause, Duration activityAge, Duration serverProvenAge) implements FatalReason {
        @Override
        public String id() {
            return "lease_heartbeat";
        }

        @Override
        public String detail() {
            return "writer lease not proved: " + cause + " activity_age=" + millis(activityAge) + " server_proven_age="
                    + millis(serverProvenAge);
        }
    }

    /**
     * Refreshes have been failing for too long.
     *
     * @param budget age that was allowed
     * @param age time since the first failure in a row
     */
    record RefreshFailure(Duration budget, Duration age) implements FatalReason {
        @Override
        public String id() {
            return "refresh_failure";
        }

        @Override
        public String detail() {
            return "refresh kept failing budget=" + seconds(budget) + " failing_for=" + millis(age);
        }
    }

    /**
     * Every call slot of the found-block lane has hung for too long.
     *
     * @param detachedCalls calls that never came back
     * @param age age of the oldest of them
     */
    record BlockWorkStuck(int detachedCalls, Duration age) implements FatalReason {
        @Override
        public String id() {
            return "block_work_stuck";
        }

        @Override
        public String detail() {
            return "block calls stuck: detached_calls=" + detachedCalls + " oldest_age=" + millis(age);
        }
    }

    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString();
    }

    private static String millis(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9)
                .setScale(3, RoundingMode.HALF_EVEN)
                .toPlainString();
    }
}

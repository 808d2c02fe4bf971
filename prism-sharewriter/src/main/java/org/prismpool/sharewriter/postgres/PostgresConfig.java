package org.prismpool.sharewriter.postgres;

import java.time.Duration;

/**
 * Settings of the connections to PostgreSQL.
 *
 * @param target where the database is
 * @param readConcurrency read connections, 1 or more; default 4
 * @param operationTimeout deadline of an operation without a narrower one; default 30 s
 * @param connectTimeout longest connect; default 5 s
 * @param idleInTransactionTimeout time after which the server ends a forgotten transaction; default 15 s
 * @param keepalives TCP keepalives of the server's side
 * @param rewardWindowCache time that the public reward-window aggregate serves, 0 for no cache; default 30 s
 */
public record PostgresConfig(
        PostgresTarget target,
        int readConcurrency,
        Duration operationTimeout,
        Duration connectTimeout,
        Duration idleInTransactionTimeout,
        Keepalives keepalives,
        Duration rewardWindowCache) {

    /** Checks the ranges. */
    public PostgresConfig {
        if (readConcurrency < 1) {
            throw new IllegalArgumentException("read concurrency must be 1 or more");
        }
        if (operationTimeout.toMillis() < 1 || connectTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("operation and connect timeout must be positive");
        }
        if (idleInTransactionTimeout.isNegative() || rewardWindowCache.isNegative()) {
            throw new IllegalArgumentException("idle timeout and cache time must be non-negative");
        }
    }

    /**
     * Creates settings with the defaults.
     *
     * @param databaseUrl address as libpq reads it
     * @return settings
     * @throws IllegalArgumentException for an address that {@link PostgresTarget} refuses
     */
    public static PostgresConfig of(String databaseUrl) {
        return of(PostgresTarget.parse(databaseUrl));
    }

    /**
     * Creates settings with the defaults.
     *
     * @param target where the database is
     * @return settings
     */
    public static PostgresConfig of(PostgresTarget target) {
        return new PostgresConfig(
                target,
                4,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Keepalives.DEFAULTS,
                Duration.ofSeconds(30));
    }

    /**
     * TCP keepalives that the server uses on our sessions, so that it notices a vanished process.
     *
     * @param idleSeconds quiet time before the first probe; default 30
     * @param intervalSeconds time between probes; default 10
     * @param count unanswered probes until the session ends; default 3
     */
    public record Keepalives(int idleSeconds, int intervalSeconds, int count) {

        /** The contract's values: a dead peer is noticed within a minute. */
        public static final Keepalives DEFAULTS = new Keepalives(30, 10, 3);
    }
}

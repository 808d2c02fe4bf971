package org.prismpool.app.demo.miner;

import java.time.Duration;

/**
 * Settings of one CPU miner; start from {@link #forPool} and change what differs.
 *
 * @param host pool host name or address
 * @param port pool TCP port, 1..65535
 * @param username name to authorize with, usually {@code <payout address>.<worker>}
 * @param password password to authorize with; may be empty and may hold options such as {@code d=0.001}
 * @param agent user agent sent with {@code mining.subscribe}
 * @param threads hashing threads, 1..256
 * @param versionRolling whether to ask for BIP310 version rolling
 * @param hashesPerSecondLimit upper bound on the hash rate over all threads; 0 means none
 * @param seed start of the extranonce2 sequence, so that two runs search the same space in the same order
 * @param connectTimeout longest wait for a TCP connection
 * @param answerTimeout longest wait for the answer to one request; afterwards the connection is given up
 * @param firstReconnectDelay wait before the first reconnect, doubled at each failure in a row
 * @param longestReconnectDelay upper bound on that wait
 * @param closeTimeout longest time {@link CpuMiner#close()} waits for the threads
 */
public record CpuMinerConfig(
        String host,
        int port,
        String username,
        String password,
        String agent,
        int threads,
        boolean versionRolling,
        long hashesPerSecondLimit,
        long seed,
        Duration connectTimeout,
        Duration answerTimeout,
        Duration firstReconnectDelay,
        Duration longestReconnectDelay,
        Duration closeTimeout) {

    /** Checks every range. */
    public CpuMinerConfig {
        require(!host.isBlank(), "host must not be blank");
        require(port >= 1 && port <= 65_535, "port must be in 1..65535");
        require(!username.isBlank(), "username must not be blank");
        require(threads >= 1 && threads <= 256, "threads must be in 1..256");
        require(hashesPerSecondLimit >= 0, "hashesPerSecondLimit must not be negative");
        requirePositive(connectTimeout, "connectTimeout");
        requirePositive(answerTimeout, "answerTimeout");
        requirePositive(firstReconnectDelay, "firstReconnectDelay");
        requirePositive(closeTimeout, "closeTimeout");
        require(
                longestReconnectDelay.compareTo(firstReconnectDelay) >= 0,
                "longestReconnectDelay must not be below firstReconnectDelay");
    }

    /**
     * Returns the defaults for one pool: password {@code x}, one thread, version rolling on, no hash rate limit, 5 s to
     * connect, 60 s per answer, reconnects after 0.2 s up to 10 s, 5 s to close.
     *
     * @param host pool host name or address
     * @param port pool TCP port
     * @param username name to authorize with
     * @return the settings
     */
    public static CpuMinerConfig forPool(String host, int port, String username) {
        return new CpuMinerConfig(
                host,
                port,
                username,
                "x",
                "prism-cpu-miner/1",
                1,
                true,
                0,
                0,
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                Duration.ofMillis(200),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5));
    }

    /**
     * Returns a copy with another password.
     *
     * @param value the new password
     * @return the copy
     */
    public CpuMinerConfig withPassword(String value) {
        return copy(value, threads, versionRolling, hashesPerSecondLimit, seed);
    }

    /**
     * Returns a copy with another number of hashing threads.
     *
     * @param value threads, 1..256
     * @return the copy
     */
    public CpuMinerConfig withThreads(int value) {
        return copy(password, value, versionRolling, hashesPerSecondLimit, seed);
    }

    /**
     * Returns a copy that asks for version rolling or does not.
     *
     * @param value whether to ask
     * @return the copy
     */
    public CpuMinerConfig withVersionRolling(boolean value) {
        return copy(password, threads, value, hashesPerSecondLimit, seed);
    }

    /**
     * Returns a copy with another hash rate limit.
     *
     * @param value hashes per second over all threads; 0 means none
     * @return the copy
     */
    public CpuMinerConfig withHashesPerSecondLimit(long value) {
        return copy(password, threads, versionRolling, value, seed);
    }

    /**
     * Returns a copy with another start of the extranonce2 sequence.
     *
     * @param value the seed
     * @return the copy
     */
    public CpuMinerConfig withSeed(long value) {
        return copy(password, threads, versionRolling, hashesPerSecondLimit, value);
    }

    /**
     * Returns a copy with other reconnect delays.
     *
     * @param first wait before the first reconnect
     * @param longest upper bound on the wait
     * @return the copy
     */
    public CpuMinerConfig withReconnectDelays(Duration first, Duration longest) {
        return new CpuMinerConfig(
                host,
                port,
                username,
                password,
                agent,
                threads,
                versionRolling,
                hashesPerSecondLimit,
                seed,
                connectTimeout,
                answerTimeout,
                first,
                longest,
                closeTimeout);
    }

    /**
     * Returns a copy with another bound on answers.
     *
     * @param value longest wait for one answer
     * @return the copy
     */
    public CpuMinerConfig withAnswerTimeout(Duration value) {
        return new CpuMinerConfig(
                host,
                port,
                username,
                password,
                agent,
                threads,
                versionRolling,
                hashesPerSecondLimit,
                seed,
                connectTimeout,
                value,
                firstReconnectDelay,
                longestReconnectDelay,
                closeTimeout);
    }

    private CpuMinerConfig copy(
            String newPassword, int newThreads, boolean newVersionRolling, long newLimit, long newSeed) {
        return new CpuMinerConfig(
                host,
                port,
                username,
                newPassword,
                agent,
                newThreads,
                newVersionRolling,
                newLimit,
                newSeed,
                connectTimeout,
                answerTimeout,
                firstReconnectDelay,
                longestReconnectDelay,
                closeTimeout);
    }

    /**
     * Returns the settings without the password, which may be a secret.
     *
     * @return text for logs
     */
    @Override
    public String toString() {
        return "CpuMinerConfig[" + host + ":" + port + ", username=" + username + ", threads=" + threads + "]";
    }

    private static void requirePositive(Duration value, String name) {
        require(!value.isNegative() && !value.isZero(), name + " must be positive");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}

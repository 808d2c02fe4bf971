package org.prismpool.stratum;

import java.time.Duration;

/**
 * Who may connect and for how long a connection may be useless (spec 02 §1.1, §1.6).
 *
 * @param maxConnections ceiling over all listeners, 0 for none
 * @param maxPerUsername ceiling of connections per exact username, 0 for none
 * @param maxPerAddress ceiling of connections per client address, 0 for none
 * @param handshakeTimeout time from accept to subscribed and authorized, zero for none
 * @param sendTimeout time that unsent bytes may wait for a slow reader, zero for none
 * @param acceptBackoff pause of an accept loop after descriptors ran out, above zero
 * @param bindRetry how long an address in use is tried again, zero to fail at once
 */
public record ConnectionLimits(
        int maxConnections,
        int maxPerUsername,
        int maxPerAddress,
        Duration handshakeTimeout,
        Duration sendTimeout,
        Duration acceptBackoff,
        Duration bindRetry) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public ConnectionLimits {
        if (maxConnections < 0 || maxPerUsername < 0 || maxPerAddress < 0) {
            throw new IllegalArgumentException("connection ceilings must not be negative");
        }
        if (handshakeTimeout.isNegative() || sendTimeout.isNegative() || bindRetry.isNegative()) {
            throw new IllegalArgumentException("connection timeouts must not be negative");
        }
        if (acceptBackoff.isNegative() || acceptBackoff.isZero()) {
            throw new IllegalArgumentException("the accept backoff must be above zero");
        }
    }

    /**
     * Returns the documented defaults: 384 connections, no other ceilings, 60 s, 20 s, 1 s, 10 s.
     *
     * @return the default limits
     */
    public static ConnectionLimits defaults() {
        return new ConnectionLimits(
                384,
                0,
                0,
                Duration.ofSeconds(60),
                Duration.ofSeconds(20),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10));
    }

    /**
     * Returns these limits with other ceilings.
     *
     * @param connections ceiling over all listeners, 0 for none
     * @param perUsername ceiling per username, 0 for none
     * @param perAddress ceiling per client address, 0 for none
     * @return the changed limits
     */
    public ConnectionLimits withCeilings(int connections, int perUsername, int perAddress) {
        return new ConnectionLimits(
                connections, perUsername, perAddress, handshakeTimeout, sendTimeout, acceptBackoff, bindRetry);
    }

    /**
     * Returns these limits with other timeouts.
     *
     * @param handshake time from accept to subscribed and authorized, zero for none
     * @param send time that unsent bytes may wait, zero for none
     * @return the changed limits
     */
    public ConnectionLimits withTimeouts(Duration handshake, Duration send) {
        return new ConnectionLimits(
                maxConnections, maxPerUsername, maxPerAddress, handshake, send, acceptBackoff, bindRetry);
    }

    /**
     * Returns these limits with another bind retry.
     *
     * @param retry how long an address in use is tried again
     * @return the changed limits
     */
    public ConnectionLimits withBindRetry(Duration retry) {
        return new ConnectionLimits(
                maxConnections, maxPerUsername, maxPerAddress, handshakeTimeout, sendTimeout, acceptBackoff, retry);
    }
}

package org.prismpool.stratum;

import java.math.BigDecimal;
import java.util.Optional;
import org.prismpool.stratum.vardiff.VardiffPolicy;

/**
 * One listening socket and the difficulty policy of the miners who connect to it (spec 02 §1.2, §1.3).
 *
 * @param name profile name, the lane in metrics: {@code default}, {@code highdiff}, ...
 * @param bind host name or address literal, IPv4 or IPv6
 * @param port 1 to 65535, or 0 for any free port
 * @param backlog kernel accept backlog, above 0
 * @param heartbeat name that the accept loop reports to the {@link ListenerWatch}
 * @param fixedDifficulty difficulty of connections while vardiff is off
 * @param vardiff bounds, start and pace of vardiff
 * @param floor smallest difficulty ever advertised even if the network's is lower, or empty
 * @param coinbaseBudgetBytes largest coinb1 + coinb2 that goes unreported, 0 for none
 * @param tls certificate files if the listener speaks TLS, else empty
 */
public record ListenerConfig(
        String name,
        String bind,
        int port,
        int backlog,
        String heartbeat,
        BigDecimal fixedDifficulty,
        VardiffPolicy vardiff,
        Optional<BigDecimal> floor,
        int coinbaseBudgetBytes,
        Optional<TlsFiles> tls) {

    /** Accept backlog unless configured otherwise. */
    public static final int DEFAULT_BACKLOG = 1024;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range, or a difficulty lies below the floor
     */
    public ListenerConfig {
        if (name.isEmpty() || bind.isEmpty() || heartbeat.isEmpty()) {
            throw new IllegalArgumentException("a listener needs a name, a bind address and a heartbeat name");
        }
        if (port < 0 || port > 65535 || backlog <= 0 || coinbaseBudgetBytes < 0) {
            throw new IllegalArgumentException("listener " + name + ": port, backlog or budget out of range");
        }
        if (fixedDifficulty.signum() <= 0) {
            throw new IllegalArgumentException("listener " + name + ": the fixed difficulty must be above zero");
        }
        if (floor.isPresent()) {
            requireAtLeast(name, floor.get(), fixedDifficulty);
            requireAtLeast(name, floor.get(), vardiff.range().min());
        }
    }

    /**
     * Creates a plain listener named {@code default}.
     *
     * @param bind host name or address literal
     * @param port 0 to 65535
     * @param fixedDifficulty difficulty while vardiff is off
     * @param vardiff vardiff policy
     * @return the listener
     */
    public static ListenerConfig plain(String bind, int port, BigDecimal fixedDifficulty, VardiffPolicy vardiff) {
        return new ListenerConfig(
                "default",
                bind,
                port,
                DEFAULT_BACKLOG,
                "stratum_accept",
                fixedDifficulty,
                vardiff,
                Optional.empty(),
                0,
                Optional.empty());
    }

    /**
     * Creates the high-difficulty listener, whose floor is the policy's minimum.
     *
     * @param bind host name or address literal
     * @param port 0 to 65535
     * @param fixedDifficulty difficulty while vardiff is off, at least the policy's minimum
     * @param vardiff vardiff policy
     * @return the listener, named {@code highdiff}
     */
    public static ListenerConfig highDifficulty(
            String bind, int port, BigDecimal fixedDifficulty, VardiffPolicy vardiff) {
        return new ListenerConfig(
                "highdiff",
                bind,
                port,
                DEFAULT_BACKLOG,
                "stratum_accept_highdiff",
                fixedDifficulty,
                vardiff,
                Optional.of(vardiff.range().min()),
                0,
                Optional.empty());
    }

    private static void requireAtLeast(String name, BigDecimal floor, BigDecimal difficulty) {
        if (difficulty.compareTo(floor) < 0) {
            throw new IllegalArgumentException(
                    "listener " + name + ": difficulty " + difficulty + " is below its floor " + floor);
        }
    }
}

package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.list;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Found-block submission and landing", in documented order. Source: spec 01 §1. */
public final class BlockVariables {

    /** Hard wall-clock budget of one submitblock. */
    public static final Variable<Duration> BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS = named(
                    "PRISM_BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("1")
            .owner("templates (block)")
            .doc("Hard wall-clock budget of one submitblock.");

    /** Deadline of each cheap outbox statement/gate. */
    public static final Variable<Duration> BLOCK_SUBMIT_DB_TIMEOUT_SECONDS = named(
                    "PRISM_BLOCK_SUBMIT_DB_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("1")
            .owner("sharewriter (outbox)")
            .doc("Deadline of each cheap outbox statement/gate.");

    /** Deadline of each landing statement, first attempt. */
    public static final Variable<Duration> BLOCK_LANDING_DB_TIMEOUT_SECONDS = named(
                    "PRISM_BLOCK_LANDING_DB_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("30")
            .owner("payout (finalization); sharewriter")
            .doc("Deadline of each landing statement, first attempt.");

    /** Cap of the doubling landing deadline (30, 60, 120, 120 …). */
    public static final Variable<Duration> BLOCK_LANDING_DB_TIMEOUT_MAX_SECONDS = named(
                    "PRISM_BLOCK_LANDING_DB_TIMEOUT_MAX_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("120")
            .owner("payout (finalization); sharewriter")
            .doc("Cap of the doubling landing deadline (30, 60, 120, 120 …).");

    /** Cadence of the contended-lock diagnostic. */
    public static final Variable<Duration> BLOCK_SUBMIT_LOCK_WAIT_LOG_SECONDS = named(
                    "PRISM_BLOCK_SUBMIT_LOCK_WAIT_LOG_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("5")
            .owner("templates (block); payout (finalization)")
            .doc("Cadence of the contended-lock diagnostic.");

    /** A worker pool of timeout-ignoring calls (2 RPC, 2 DB) exhausted this long → exit non-zero. */
    public static final Variable<Duration> BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS = named(
                    "PRISM_BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("30")
            .owner("templates (block); sharewriter")
            .doc("A worker pool of timeout-ignoring calls (2 RPC, 2 DB) exhausted this long → exit non-zero.");

    /** How long "own hash seen as tip" protects a candidate from abandonment. */
    public static final Variable<Duration> OBSERVED_TIP_ACCEPT_WINDOW_SECONDS = named(
                    "PRISM_OBSERVED_TIP_ACCEPT_WINDOW_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("300")
            .owner("templates (block)")
            .doc("How long \"own hash seen as tip\" protects a candidate from abandonment.");

    /** Further nodes (http://user:password&#64;host:port, comma-separated) that get every found block at the same time as the primary. */
    public static final Variable<List<Secret>> BLOCK_SUBMIT_EXTRA_URLS = named(
                    "PRISM_BLOCK_SUBMIT_EXTRA_URLS", list(NetworkParsers.nodeUrl()))
            .secret()
            .owner("templates (block)")
            .doc(
                    "Further nodes (http://user:password@host:port, comma-separated) that get every found block at the same time as the primary.");

    private BlockVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Found-block submission and landing",
                List.of(
                        BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS,
                        BLOCK_SUBMIT_DB_TIMEOUT_SECONDS,
                        BLOCK_LANDING_DB_TIMEOUT_SECONDS,
                        BLOCK_LANDING_DB_TIMEOUT_MAX_SECONDS,
                        BLOCK_SUBMIT_LOCK_WAIT_LOG_SECONDS,
                        BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS,
                        OBSERVED_TIP_ACCEPT_WINDOW_SECONDS,
                        BLOCK_SUBMIT_EXTRA_URLS));
    }
}

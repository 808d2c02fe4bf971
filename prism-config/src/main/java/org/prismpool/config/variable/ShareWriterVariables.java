package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.milliseconds;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.path;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Share writer", in documented order. Source: spec 01 §1. */
public final class ShareWriterVariables {

    /** Largest group commit. */
    public static final Variable<Integer> SHARE_COMMIT_BATCH_SIZE = named(
                    "PRISM_SHARE_COMMIT_BATCH_SIZE", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("64")
            .owner("sharewriter")
            .doc("Largest group commit.");

    /** Wait to fill a batch. */
    public static final Variable<Duration> SHARE_COMMIT_LINGER_MILLISECONDS = named(
                    "PRISM_SHARE_COMMIT_LINGER_MILLISECONDS", milliseconds(Floor.NON_NEGATIVE))
            .byDefault("5")
            .owner("sharewriter")
            .doc("Wait to fill a batch; a block candidate flushes at once. The only millisecond variable.");

    /** Bound of queue admission (not of the commit outcome). */
    public static final Variable<Duration> SHARE_COMMIT_TIMEOUT_SECONDS = named(
                    "PRISM_SHARE_COMMIT_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("15")
            .owner("sharewriter")
            .doc("Bound of queue admission (not of the commit outcome).");

    /** Journal of shares that could not be persisted. */
    public static final Variable<String> SHARE_RECOVERY_PATH = named("PRISM_SHARE_RECOVERY_PATH", path())
            .derived(
                    "PRISM_AUDIT_DIR/prism-unpersisted-shares.jsonl",
                    e -> Optional.of(Paths.child(e.get(HttpVariables.AUDIT_DIR), "prism-unpersisted-shares.jsonl")),
                    HttpVariables.AUDIT_DIR)
            .owner("sharewriter")
            .doc("Journal of shares that could not be persisted.");

    private ShareWriterVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Share writer",
                List.of(
                        SHARE_COMMIT_BATCH_SIZE,
                        SHARE_COMMIT_LINGER_MILLISECONDS,
                        SHARE_COMMIT_TIMEOUT_SECONDS,
                        SHARE_RECOVERY_PATH));
    }
}

package org.prismpool.lifecycle.shutdown;

import java.util.regex.Pattern;

/**
 * Kind of work that can change the durable state; the name is a metric label and a log field.
 *
 * <p>The constants are those of the pool (spec 08 section 3.3); another program makes its own.
 *
 * @param name lower-case words joined by underscores
 */
public record WriterComponent(String name) implements Comparable<WriterComponent> {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*"); // before the constants, which use it

    /** A submitted share, from parsing to the reply. */
    public static final WriterComponent SHARE_SUBMISSION = new WriterComponent("share_submission");

    /** A queued share until its group commit is decided. */
    public static final WriterComponent SHARE_PERSISTENCE = new WriterComponent("share_persistence");

    /** Replay of the recovery journal at the start. */
    public static final WriterComponent SHARE_RECOVERY_REPLAY = new WriterComponent("share_recovery_replay");

    /** Disposition, finalization and outbox changes of a found block, and the replay of candidates. */
    public static final WriterComponent ACCEPTED_BLOCK_HANDLING = new WriterComponent("accepted_block_handling");

    /** Reconciliation with the chain and changes of the payout state. */
    public static final WriterComponent PAYOUT_RECONCILIATION = new WriterComponent("payout_reconciliation");

    /** One pass of the fan-out broadcaster. */
    public static final WriterComponent CTV_BROADCAST_STATE = new WriterComponent("ctv_broadcast_state");

    /** Checks the name. */
    public WriterComponent {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a writer component is named in lower case: " + name);
        }
    }

    @Override
    public int compareTo(WriterComponent other) {
        return name.compareTo(other.name);
    }
}

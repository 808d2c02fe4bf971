package org.prismpool.sharewriter.read;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a database server is behind the one that it copies (ledger contract §9.1). Freshness is judged by the
 * receiver's last message: replay lag grows while the primary is idle.
 *
 * @param inRecovery whether the server is a standby; all other values are empty on a primary
 * @param receiverMessageAge time since the receiver heard from its sender; empty without a running receiver, and for a
 *     role without {@code pg_read_all_stats}
 * @param replayLag time since the commit of the newest replayed transaction, empty before the first one
 * @param backlogBytes log received but not replayed, empty if nothing was received by streaming
 */
public record ReplicaState(
        boolean inRecovery,
        Optional<Duration> receiverMessageAge,
        Optional<Duration> replayLag,
        OptionalLong backlogBytes) {}

package org.prismpool.sharewriter.postgres;

import java.util.Locale;
import java.util.Optional;
import org.jooq.Configuration;
import org.jooq.types.DayToSecond;
import org.jooq.types.YearToMonth;
import org.jooq.types.YearToSecond;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Calls the functions of the contract that move one block and contain the fence themselves. Thread-safe.
 *
 * @param fence of the writer
 * @param transactions of the ledger
 */
record FencedRoutines(Optional<WriterFence> fence, Transactions transactions) {

    /** Such a function, as it is generated. */
    @FunctionalInterface
    interface BlockRoutine {
        @Nullable Integer call(
                Configuration sql,
                String blockHash,
                Long tipHeight,
                String writerId,
                Long writerEpoch,
                String sessionToken,
                YearToSecond leaseDuration);
    }

    /** Calls a function; returns what it counted. */
    int call(BlockRoutine routine, String blockHash, long tipHeight, Deadline deadline) {
        WriterFence open = Transactions.open(fence);
        LeaseIdentity ours = open.identity();
        YearToSecond ttl = new YearToSecond(new YearToMonth(), DayToSecond.valueOf(open.ttl()));
        return transactions.selfFenced(fence, deadline, sql -> {
            @Nullable Integer counted = routine.call(
                    sql.configuration(),
                    blockHash.toLowerCase(Locale.ROOT),
                    tipHeight,
                    ours.writerId(),
                    ours.epoch(),
                    ours.sessionToken(),
                    ttl);
            return counted == null ? 0 : counted;
        });
    }
}

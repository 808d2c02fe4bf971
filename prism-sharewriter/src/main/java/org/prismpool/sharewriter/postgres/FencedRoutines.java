package org.prismpool.sharewriter.postgres;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;
import org.jooq.types.YearToSecond;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.WriterFence;

/** Calls the functions of the contract that contain the fence themselves. */
final class FencedRoutines {

    private FencedRoutines() {}

    static <T> T call(
            Transactions transactions,
            Optional<WriterFence> fence,
            Deadline deadline,
            BiFunction<DSLContext, LeaseIdentity, T> routine) {
        WriterFence open = Transactions.open(fence);
        return transactions.selfFenced(fence, deadline, sql -> routine.apply(sql, open.identity()));
    }

    static YearToSecond ttl(Optional<WriterFence> fence) {
        Duration ttl = Transactions.open(fence).ttl();
        return new YearToSecond(new org.jooq.types.YearToMonth(), DayToSecond.valueOf(ttl));
    }
}

package org.prismpool.sharewriter.postgres;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.read.ReplicaProbe;
import org.prismpool.sharewriter.read.ReplicaState;

/** Asks a server about its recovery. */
final class PostgresReplicaProbe implements ReplicaProbe {

    private static final Field<Boolean> IN_RECOVERY = DSL.field("pg_is_in_recovery()", SQLDataType.BOOLEAN);
    private static final Field<BigDecimal> RECEIVER_AGE =
            age("(SELECT last_msg_receipt_time FROM pg_stat_wal_receiver)");
    private static final Field<BigDecimal> REPLAY_AGE = age("pg_last_xact_replay_timestamp()");
    private static final Field<BigDecimal> BACKLOG =
            DSL.field("pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())", SQLDataType.NUMERIC);

    private final Transactions transactions;

    PostgresReplicaProbe(Transactions transactions) {
        this.transactions = transactions;
    }

    private static Field<BigDecimal> age(String moment) {
        return DSL.field("extract(epoch from clock_timestamp() - " + moment + ")::numeric", SQLDataType.NUMERIC);
    }

    @Override
    public ReplicaState probe(Deadline deadline) {
        return transactions.read(deadline, PostgresReplicaProbe::ask);
    }

    private static ReplicaState ask(DSLContext sql) {
        Record row = sql.select(IN_RECOVERY, RECEIVER_AGE, REPLAY_AGE, BACKLOG).fetchSingle();
        if (!row.get(IN_RECOVERY)) {
            // A promoted server still remembers its last replay.
            return new ReplicaState(false, Optional.empty(), Optional.empty(), OptionalLong.empty());
        }
        @Nullable BigDecimal backlog = row.get(BACKLOG); // negative when an archive is ahead of the stream
        return new ReplicaState(
                true,
                duration(row.get(RECEIVER_AGE)),
                duration(row.get(REPLAY_AGE)),
                backlog == null ? OptionalLong.empty() : OptionalLong.of(Math.max(0, backlog.longValue())));
    }

    /** Two servers' clocks are compared: what is a moment ahead of ours is now. */
    private static Optional<Duration> duration(@Nullable BigDecimal seconds) {
        return seconds == null
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(seconds.max(BigDecimal.ZERO)
                        .movePointRight(9)
                        .setScale(0, RoundingMode.DOWN)
                        .longValue()));
    }
}

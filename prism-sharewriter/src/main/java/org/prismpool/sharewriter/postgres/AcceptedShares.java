package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_SHARE_LEDGER;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.read.AcceptedWork;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.WorkByWindow;

/** Sums over accepted shares, each served by an index on their time alone. */
final class AcceptedShares {

    static final Field<Long> COUNT = DSL.count().cast(SQLDataType.BIGINT);
    static final Field<BigDecimal> DIFFICULTY = DSL.sum(QBIT_SHARE_LEDGER.SHARE_DIFFICULTY);

    private AcceptedShares() {}

    /** Shares of a window that ends at a moment; both ends belong to it. */
    static Condition within(OffsetDateTime asOf, RateWindow window) {
        return since(asOf, window).and(QBIT_SHARE_LEDGER.ACCEPTED).and(QBIT_SHARE_LEDGER.ACCEPTED_AT.le(asOf));
    }

    private static Condition since(OffsetDateTime asOf, RateWindow window) {
        return QBIT_SHARE_LEDGER.ACCEPTED_AT.ge(asOf.minus(window.length()));
    }

    /** Difficulty of a part of the shares. */
    static Field<BigDecimal> difficulty(OffsetDateTime asOf, RateWindow window) {
        return DSL.sum(QBIT_SHARE_LEDGER.SHARE_DIFFICULTY).filterWhere(since(asOf, window));
    }

    /** Sums all windows in one pass over the longest. */
    static WorkByWindow work(DSLContext sql, OffsetDateTime asOf, Condition whose) {
        Map<RateWindow, Field<Long>> counts = new EnumMap<>(RateWindow.class);
        Map<RateWindow, Field<BigDecimal>> sums = new EnumMap<>(RateWindow.class);
        for (RateWindow window : RateWindow.values()) {
            Field<Long> count = DSL.count().filterWhere(since(asOf, window)).cast(SQLDataType.BIGINT);
            counts.put(window, count.as("shares_" + window.seconds()));
            sums.put(window, difficulty(asOf, window).as("difficulty_" + window.seconds()));
        }
        Record row = sql.select(counts.values())
                .select(sums.values())
                .from(QBIT_SHARE_LEDGER)
                .where(within(asOf, RateWindow.H24))
                .and(whose)
                .fetchSingle();
        Map<RateWindow, AcceptedWork> work = new EnumMap<>(RateWindow.class);
        counts.forEach((window, count) -> work.put(window, work(row.get(count), row.get(sums.get(window)))));
        return new WorkByWindow(asOf.toInstant(), work);
    }

    /** A sum over no row is null. */
    static AcceptedWork work(@Nullable Long shares, @Nullable BigDecimal difficulty) {
        return shares == null || difficulty == null
                ? AcceptedWork.NONE
                : new AcceptedWork(shares, Rows.whole(difficulty));
    }
}

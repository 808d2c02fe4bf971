package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_SHARE_LEDGER;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.internal.Boards;
import org.prismpool.sharewriter.internal.Boards.Contender;
import org.prismpool.sharewriter.read.Leaderboards;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.RateWindow;

/** Miners by their work. */
final class PostgresLeaderboards implements Leaderboards {

    private final Transactions transactions;

    PostgresLeaderboards(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public RecentBoard recent(String search, PageRequest page, Deadline deadline) {
        return transactions.read(deadline, sql -> {
            OffsetDateTime endedAt = DbTime.read(sql);
            List<Contender> ordered = contenders(sql, search, endedAt);
            return Boards.recent(ordered, Solvers.blocksFound(sql), endedAt.toInstant(), page);
        });
    }

    /** All of them, for the totals: one row a miner, so that the shares are read once. */
    private static List<Contender> contenders(DSLContext sql, String search, OffsetDateTime endedAt) {
        var miner = QBIT_SHARE_LEDGER.MINER_ID;
        Condition matches = search.isEmpty()
                ? DSL.noCondition()
                : DSL.condition("strpos(lower({0}), {1}) > 0", miner, DSL.val(search.toLowerCase(Locale.ROOT)));
        return sql.select(
                        miner, AcceptedShares.COUNT, AcceptedShares.DIFFICULTY, DSL.max(QBIT_SHARE_LEDGER.ACCEPTED_AT))
                .from(QBIT_SHARE_LEDGER)
                .where(AcceptedShares.within(endedAt, RateWindow.H3))
                .and(matches)
                .groupBy(miner)
                .orderBy(AcceptedShares.DIFFICULTY.desc(), miner.collate("C"))
                .fetch(row -> new Contender(
                        row.value1(),
                        AcceptedShares.work(row.value2(), row.value3()),
                        row.value4().toInstant()));
    }

    @Override
    public Map<String, Long> blocksFound(Deadline deadline) {
        return transactions.read(deadline, Solvers::blocksFound);
    }
}

package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.internal.schema.tables.QbitPrismWindow;
import org.prismpool.sharewriter.read.BlockCounts;
import org.prismpool.sharewriter.read.FoundBlocks;
import org.prismpool.sharewriter.read.Leaderboards;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.PoolStatistics;
import org.prismpool.sharewriter.read.PublicReads;
import org.prismpool.sharewriter.read.RewardWindowAggregate;
import org.prismpool.sharewriter.read.RewardWindowAggregate.MinerWork;
import org.prismpool.sharewriter.read.RewardWindowCache;
import org.prismpool.sharewriter.read.SettlementReads;
import org.prismpool.sharewriter.window.WindowReader;

/** Queries behind public pages. */
final class PostgresPublicReads implements PublicReads {

    private final Transactions transactions;
    private final RewardWindowCache cache;
    private final PoolStatistics pool;
    private final Leaderboards leaderboards;
    private final FoundBlocks blocks;
    private final MinerReads miners;
    private final SettlementReads settlements;

    PostgresPublicReads(Transactions transactions, RewardWindowCache cache) {
        this.transactions = transactions;
        this.cache = cache;
        this.pool = new PostgresPoolStatistics(transactions);
        this.leaderboards = new PostgresLeaderboards(transactions);
        this.blocks = new PostgresFoundBlocks(transactions);
        this.miners = new PostgresMinerReads(transactions);
        this.settlements = new PostgresSettlementReads(transactions);
    }

    @Override
    public RewardWindowAggregate rewardWindow(BigInteger networkDifficulty, Deadline deadline) {
        BigInteger weight = networkDifficulty.max(BigInteger.ZERO).multiply(WindowReader.AUDIT_MULTIPLIER);
        return cache.get(weight, deadline, () -> transactions.read(deadline, sql -> aggregate(sql, weight)));
    }

    private static RewardWindowAggregate aggregate(DSLContext sql, BigInteger weight) {
        sql.execute(SharePages.ALONG_THE_SEQUENCE);
        OffsetDateTime anchor = sql.select(DbTime.now()).fetchSingle().value1();
        QbitPrismWindow window =
                org.prismpool.sharewriter.internal.schema.Tables.QBIT_PRISM_WINDOW.call(anchor, new BigDecimal(weight));
        var counted = DSL.sum(window.COUNTED_DIFFICULTY);
        List<MinerWork> miners = new ArrayList<>();
        BigInteger total = BigInteger.ZERO;
        long shares = 0;
        OptionalLong oldest = OptionalLong.empty();
        OptionalLong newest = OptionalLong.empty();
        for (var row : sql.select(
                        window.MINER_ID,
                        counted,
                        DSL.count().cast(SQLDataType.BIGINT),
                        DSL.min(window.ACCEPTED_AT),
                        DSL.max(window.ACCEPTED_AT))
                .from(window)
                .groupBy(window.MINER_ID)
                .orderBy(counted.desc(), window.MINER_ID)) {
            long first = Rows.millis(row.value4());
            long last = Rows.millis(row.value5());
            miners.add(new MinerWork(row.value1(), Rows.whole(row.value2()), row.value3(), last));
            total = total.add(Rows.whole(row.value2()));
            shares += row.value3();
            oldest = OptionalLong.of(Math.min(first, oldest.orElse(first)));
            newest = OptionalLong.of(Math.max(last, newest.orElse(last)));
        }
        return new RewardWindowAggregate(Rows.millis(anchor), weight, total, shares, oldest, newest, miners);
    }

    @Override
    public BlockCounts blockCounts(Deadline deadline) {
        return transactions.read(deadline, sql -> {
            Map<ChainState, Long> counts = new EnumMap<>(ChainState.class);
            sql.select(QBIT_POOL_BLOCKS.CHAIN_STATE, DSL.count().cast(SQLDataType.BIGINT))
                    .from(QBIT_POOL_BLOCKS)
                    .groupBy(QBIT_POOL_BLOCKS.CHAIN_STATE)
                    .forEach(row -> counts.put(ChainState.ofText(row.value1()), row.value2()));
            long owed = PostgresPriorBalances.current(sql).stream()
                    .filter(row -> row.balanceSats().signum() > 0)
                    .count();
            return new BlockCounts(counts, owed);
        });
    }

    @Override
    public PoolStatistics pool() {
        return pool;
    }

    @Override
    public Leaderboards leaderboards() {
        return leaderboards;
    }

    @Override
    public FoundBlocks blocks() {
        return blocks;
    }

    @Override
    public MinerReads miners() {
        return miners;
    }

    @Override
    public SettlementReads settlements() {
        return settlements;
    }
}

package org.prismpool.app.publicapi.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.publicapi.PoolModels;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.model.formula.PublicTime;
import org.prismpool.app.publicapi.model.formula.RateSeries;
import org.prismpool.app.publicapi.model.formula.RewardShare;
import org.prismpool.app.publicapi.model.formula.WorkRate;
import org.prismpool.app.publicapi.query.LeaderboardQuery;
import org.prismpool.app.publicapi.query.SeriesQuery;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.PoolStatistics;
import org.prismpool.sharewriter.read.PoolTotals;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.RewardWindowAggregate;

/** The pages about the whole pool. Thread-safe; blocks on node and ledger. Source: spec 08 §7.7. */
public final class PoolDocuments implements PoolModels {

    private final PublicLedger ledger;
    private final NetworkView network;
    private final PublicSettings settings;
    private final Clock clock;
    private final LeaderboardDocuments leaderboards;

    /**
     * Creates the pages.
     *
     * @param ledger ledger
     * @param network node
     * @param settings what the operator shows
     * @param clock wall clock of {@code generated_at} and of series
     */
    public PoolDocuments(PublicLedger ledger, NetworkView network, PublicSettings settings, Clock clock) {
        this.ledger = ledger;
        this.network = network;
        this.settings = settings;
        this.clock = clock;
        this.leaderboards = new LeaderboardDocuments(ledger, network, clock);
    }

    @Override
    public PublicBody summary(Deadline deadline) {
        Instant now = clock.instant();
        NetworkState state = network.current(deadline); // before any read: without bits there is no window to ask for
        BigInteger difficulty = state.bits().networkDifficulty();
        PoolTotals totals = ledger.pool().totals(deadline);
        RewardWindowAggregate window = ledger.windows().rewardWindow(difficulty, deadline);
        return Members.ofDocument("pool-summary.v1", now)
                .object("network", network(state))
                .object(
                        "pool",
                        pool(totals, difficulty)
                                .with("name", settings.poolName())
                                .object("reward_window", window(window)))
                .body();
    }

    private static Members network(NetworkState state) {
        return new Members()
                .with("name", state.chain())
                .with("height", state.height())
                .with("tip_hash", state.tipHash())
                .with("bits", state.bits().hex())
                .decimal("network_difficulty", state.bits().networkDifficulty())
                .with("initial_block_download", state.initialDownload())
                .with("peers", state.peers());
    }

    private static Members pool(PoolTotals totals, BigInteger difficulty) {
        Members rates = new Members();
        Rates.put(rates, "h1", totals.work(), RateWindow.H1);
        Rates.put(rates, "h3", totals.work(), RateWindow.H3);
        Rates.put(rates, "h24", totals.work(), RateWindow.H24);
        BigDecimal usual = Rates.of(totals.work(), RateWindow.H3);
        return new Members()
                .object("hashrate_ths", rates)
                .with("participants_3h", totals.participants3h())
                .with("blocks_found_total", totals.blocksFound())
                .with("prism_blocks_total", totals.blocksFound())
                .with("total_mined_bits", totals.totalMinedSats())
                .orNull("expected_time_to_block_seconds", WorkRate.secondsToBlock(usual, difficulty))
                .orNull(
                        "latest_block",
                        totals.latestBlock()
                                .map(block ->
                                        latest(block, totals.work().asOf()).map()));
    }

    private static Members latest(FoundBlock block, Instant now) {
        return new Members()
                .with("height", block.height())
                .with("hash", block.blockHash())
                .time("found_at", block.foundAt())
                .with(
                        "age_seconds",
                        Math.max(0, Duration.between(block.foundAt(), now).toSeconds()))
                .with(
                        "solver_recipient_id",
                        block.solver().map(FoundBlock.Solver::recipientId).orElse(""))
                .orNull("solver_worker_name", block.solver().flatMap(FoundBlock.Solver::workerName));
    }

    private static Members window(RewardWindowAggregate window) {
        return new Members()
                .with("window_multiplier", RewardShare.WINDOW_MULTIPLIER)
                .decimal("requested_window_weight", window.requestedWeight())
                .timeOrNull("oldest_share_accepted_at", Rates.instant(window.oldestAcceptedAtMs()))
                .timeOrNull("newest_share_accepted_at", Rates.instant(window.newestAcceptedAtMs()))
                .with("included_share_count", window.includedShares());
    }

    @Override
    public PublicBody hashrateSeries(SeriesQuery query, Deadline deadline) {
        Instant now = clock.instant();
        long nowSeconds = now.getEpochSecond();
        RateSeries series =
                new RateSeries(query.range().length(), query.bucket().seconds(), settings.smoothingSeconds());
        PoolStatistics.SeriesSubject subject = query.miner()
                .<PoolStatistics.SeriesSubject>map(PoolStatistics.MinerSubject::new)
                .orElseGet(PoolStatistics.PoolSubject::new);
        List<RateSeries.Work> read = ledger
                .pool()
                .series(
                        subject,
                        new PoolStatistics.SeriesRange(
                                Instant.ofEpochSecond(series.readFrom(nowSeconds)),
                                query.bucket().seconds()),
                        deadline)
                .stream()
                .map(bucket -> new RateSeries.Work(
                        bucket.epochSeconds(),
                        bucket.work().shares(),
                        bucket.work().difficulty()))
                .toList();
        return Members.ofDocument("hashrate-series.v1", now)
                .object(
                        "subject",
                        new Members()
                                .with("type", query.miner().isPresent() ? "miner" : "pool")
                                .orNull("id", query.miner()))
                .with("range", query.range().id())
                .with("bucket", query.bucket().id())
                .with("unit", "ths")
                .with(
                        "points",
                        series.points(read, nowSeconds).stream()
                                .map(PoolDocuments::point)
                                .toList())
                .body();
    }

    private static Map<String, @Nullable Object> point(RateSeries.Point point) {
        return new Members()
                .with("timestamp", PublicTime.ofSeconds(point.work().epochSeconds()))
                .decimal("hashrate_ths", point.terahashes())
                .with("accepted_share_count", point.work().shares())
                .decimal("accepted_share_difficulty", point.work().difficulty())
                .map();
    }

    @Override
    public PublicBody leaderboard(LeaderboardQuery query, Deadline deadline) {
        return query.window() == LeaderboardQuery.Window.REWARD
                ? leaderboards.ofRewardWindow(query, deadline)
                : leaderboards.recent(query.search().orElse(""), query.page(), deadline);
    }
}

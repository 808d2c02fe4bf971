package org.prismpool.app.publicapi.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.model.formula.RewardShare;
import org.prismpool.app.publicapi.model.formula.WorkRate;
import org.prismpool.app.publicapi.query.LeaderboardQuery;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.read.Leaderboards.RankedMiner;
import org.prismpool.sharewriter.read.Leaderboards.RecentBoard;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.RewardWindowAggregate;
import org.prismpool.sharewriter.read.RewardWindowAggregate.MinerWork;

/** Both leaderboards: of three hours, and of the reward window. Thread-safe. Source: spec 08 §7.7. */
final class LeaderboardDocuments {

    private static final int SECONDS = RateWindow.H3.seconds();

    private final PublicLedger ledger;
    private final NetworkView network;
    private final Clock clock;

    LeaderboardDocuments(PublicLedger ledger, NetworkView network, Clock clock) {
        this.ledger = ledger;
        this.network = network;
        this.clock = clock;
    }

    PublicBody recent(String search, Page page, Deadline deadline) {
        Instant now = clock.instant();
        RecentBoard board = ledger.leaderboards().recent(search, Rates.request(page), deadline);
        BigDecimal poolRate = WorkRate.terahashes(board.totalDifficulty(), SECONDS);
        return Members.ofDocument("leaderboard.v1", now)
                .object(
                        "window",
                        new Members()
                                .with("id", LeaderboardQuery.Window.THREE_HOURS.id())
                                .time("started_at", board.startedAt())
                                .time("ended_at", board.endedAt()))
                .object(
                        "totals",
                        new Members()
                                .decimal("pool_hashrate_ths", poolRate)
                                .decimal("pool_accepted_share_difficulty", board.totalDifficulty())
                                .with("participant_count", board.participants()))
                .with("pagination", page.pagination(board.participants()))
                .with(
                        "rows",
                        board.rows().stream()
                                .map(row -> row(row, board.totalDifficulty(), poolRate))
                                .toList())
                .body();
    }

    private static Map<String, @Nullable Object> row(RankedMiner row, BigInteger total, BigDecimal poolRate) {
        BigDecimal rate = WorkRate.terahashes(row.work().difficulty(), SECONDS);
        return new Members()
                .with("rank", row.rank())
                .with("recipient_id", row.recipientId())
                .none("display_name")
                .decimal("hashrate_ths_3h", rate)
                .decimalOrNull("share_percent", RewardShare.percent(row.work().difficulty(), total))
                .decimalOrNull("hash_percent", RewardShare.percent(rate, poolRate))
                .with("blocks_found", row.blocksFound())
                .time("last_share_at", row.lastShareAt())
                .map();
    }

    PublicBody ofRewardWindow(LeaderboardQuery query, Deadline deadline) {
        BigInteger difficulty = network.current(deadline).bits().networkDifficulty();
        RewardWindowAggregate window = ledger.windows().rewardWindow(difficulty, deadline);
        Map<String, Long> blocks = ledger.leaderboards().blocksFound(deadline);
        BigInteger counted = window.miners().stream().map(MinerWork::counted).reduce(BigInteger.ZERO, BigInteger::add);
        if (!counted.equals(window.countedWeight())) {
            throw new IllegalStateException("the miners of the reward window do not sum to it");
        }
        Instant ended = Instant.ofEpochMilli(window.anchorMs());
        OptionalLong span = span(window);
        List<Ranked> rows = filtered(window.miners(), query);
        Page page = query.page();
        return Members.ofDocument("leaderboard.v2", ended)
                .object("window", window(window, difficulty, span, ended))
                .object("totals", totals(window, difficulty, span))
                .with("pagination", page.pagination(rows.size()))
                .with(
                        "rows",
                        rows.stream()
                                .skip(page.offset())
                                .limit(page.limit())
                                .map(row -> row(
                                        row,
                                        window,
                                        span,
                                        blocks.getOrDefault(row.miner().minerId(), 0L)))
                                .toList())
                .body();
    }

    /** Whole seconds from the oldest share to the read; empty for an empty window. */
    private static OptionalLong span(RewardWindowAggregate window) {
        OptionalLong oldest = window.oldestAcceptedAtMs();
        return oldest.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, Math.floorDiv(window.anchorMs() - oldest.getAsLong(), 1000L)));
    }

    /** A miner with its place among all; filters come after the ranking. */
    private record Ranked(int rank, MinerWork miner) {}

    private static List<Ranked> filtered(List<MinerWork> miners, LeaderboardQuery query) {
        Optional<String> part = query.search().map(text -> text.toLowerCase(Locale.ROOT));
        List<Ranked> rows = new ArrayList<>();
        int rank = 0;
        for (MinerWork miner : miners) {
            rank++;
            boolean wanted = query.recipient().map(miner.minerId()::equals).orElse(true)
                    && part.map(miner.minerId().toLowerCase(Locale.ROOT)::contains)
                            .orElse(true);
            if (wanted) {
                rows.add(new Ranked(rank, miner));
            }
        }
        return rows;
    }

    private static Members window(
            RewardWindowAggregate window, BigInteger difficulty, OptionalLong span, Instant ended) {
        BigInteger requested = window.requestedWeight();
        BigInteger counted = window.countedWeight();
        return new Members()
                .with("id", LeaderboardQuery.Window.REWARD.id())
                .timeOrNull("started_at", Rates.instant(window.oldestAcceptedAtMs()))
                .time("ended_at", ended)
                .orNull("observed_span_seconds", boxed(span))
                .decimal("network_difficulty", difficulty)
                .with("window_multiplier", RewardShare.WINDOW_MULTIPLIER)
                .decimal("requested_window_weight", requested)
                .decimal("counted_window_weight", counted)
                .with("included_share_count", window.includedShares())
                .with("is_complete", requested.signum() > 0 && counted.compareTo(requested) >= 0);
    }

    private static Members totals(RewardWindowAggregate window, BigInteger difficulty, OptionalLong span) {
        Optional<BigDecimal> rate = rate(window.countedWeight(), span);
        return new Members()
                .decimalOrNull("pool_hashrate_ths", rate)
                .decimal("pool_counted_share_difficulty", window.countedWeight())
                .with("participant_count", window.miners().size())
                .orNull(
                        "expected_time_to_block_seconds",
                        rate.flatMap(terahashes -> WorkRate.secondsToBlock(terahashes, difficulty)));
    }

    private static Map<String, @Nullable Object> row(
            Ranked row, RewardWindowAggregate window, OptionalLong span, long blocksFound) {
        MinerWork miner = row.miner();
        return new Members()
                .with("rank", row.rank())
                .with("recipient_id", miner.minerId())
                .none("display_name")
                .decimalOrNull("hashrate_ths", rate(miner.counted(), span))
                .with("included_share_count", miner.includedShares())
                .decimal("counted_share_difficulty", miner.counted())
                .decimalOrNull("share_percent", RewardShare.percent(miner.counted(), window.countedWeight()))
                .with("blocks_found_total", blocksFound)
                .time("last_share_at", Instant.ofEpochMilli(miner.lastShareAtMs()))
                .map();
    }

    private static Optional<BigDecimal> rate(BigInteger difficulty, OptionalLong span) {
        return boxed(span).filter(seconds -> seconds > 0).map(seconds -> WorkRate.terahashes(difficulty, seconds));
    }

    private static Optional<Long> boxed(OptionalLong value) {
        return value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty();
    }
}

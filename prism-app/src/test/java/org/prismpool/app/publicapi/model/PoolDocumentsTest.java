package org.prismpool.app.publicapi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;
import static org.prismpool.app.publicapi.model.Bodies.CLOCK;
import static org.prismpool.app.publicapi.model.Bodies.NOW;
import static org.prismpool.app.publicapi.model.Bodies.SETTINGS;
import static org.prismpool.app.publicapi.model.Bodies.soon;
import static org.prismpool.app.publicapi.model.SamplesTest.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.prismpool.app.publicapi.UpstreamUnavailableException;
import org.prismpool.app.publicapi.model.formula.Decimals;
import org.prismpool.app.publicapi.model.formula.WorkRate;
import org.prismpool.app.publicapi.query.LeaderboardQuery;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.app.publicapi.query.SeriesBucket;
import org.prismpool.app.publicapi.query.SeriesQuery;
import org.prismpool.app.publicapi.query.SeriesRange;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.read.AcceptedWork;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.FoundBlocks;
import org.prismpool.sharewriter.read.Leaderboards;
import org.prismpool.sharewriter.read.Leaderboards.RankedMiner;
import org.prismpool.sharewriter.read.Leaderboards.RecentBoard;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.PoolStatistics;
import org.prismpool.sharewriter.read.PoolTotals;
import org.prismpool.sharewriter.read.PublicReads;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.RewardWindowAggregate;
import org.prismpool.sharewriter.read.RewardWindowAggregate.MinerWork;
import org.prismpool.sharewriter.read.SettlementReads;
import org.prismpool.sharewriter.read.WorkByWindow;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;
import org.prismpool.templates.rpc.RpcMethod;

/** The pool's pages from the facts of the contract's samples. */
class PoolDocumentsTest {

    private static final String MINER = "qbrt1prismminer00000000000000000000000000000000000000";
    private static final BigInteger DIFFICULTY = new BigInteger("86812541144089706339356132");
    private static final BigInteger WEIGHT = new BigInteger("694500329152717650714849056");

    private final NodeRpc node = mock(NodeRpc.class);
    private final PublicReads windows = mock(PublicReads.class);
    private final PoolStatistics pool = mock(PoolStatistics.class);
    private final Leaderboards boards = mock(Leaderboards.class);
    private final PublicLedger ledger = new PublicLedger(
            windows, pool, mock(FoundBlocks.class), boards, mock(MinerReads.class), mock(SettlementReads.class));
    private final PoolDocuments documents =
            new PoolDocuments(ledger, new NetworkView(node, Network.REGTEST, MonotonicClock.system()), SETTINGS, CLOCK);

    @BeforeEach
    void theSamplesNode() {
        when(node.getShownBlockchainInfo(any()))
                .thenReturn(new ChainInfo(
                        "qbit-signet",
                        Optional.of(false),
                        OptionalLong.of(123_456),
                        OptionalLong.of(123_456),
                        Optional.of(Hash256.ofDisplayHex(
                                "0000000000000000000abc123000000000000000000000000000000000000001")),
                        Optional.of("1d00ffff")));
        when(node.getBlockTemplate(any(), any()))
                .thenReturn(JsonNodeFactory.instance.objectNode().put("bits", "181b32da"));
        when(node.getConnections(any())).thenReturn(8L);
    }

    private static Instant at(String time) {
        return Instant.parse("2026-06-26T" + time + "Z");
    }

    /** Work that explains a rate, to the nearest unit. */
    private static AcceptedWork work(String terahashes, RateWindow window) {
        BigInteger difficulty = new BigDecimal(terahashes)
                .multiply(new BigDecimal("1E+12"))
                .multiply(BigDecimal.valueOf(window.seconds()))
                .divide(WorkRate.HASHES_PER_UNIT, Decimals.CONTEXT)
                .toBigInteger();
        return new AcceptedWork(1942, difficulty);
    }

    private static RewardWindowAggregate window(Instant oldest, List<MinerWork> miners) {
        BigInteger counted = miners.stream().map(MinerWork::counted).reduce(BigInteger.ZERO, BigInteger::add);
        return new RewardWindowAggregate(
                NOW.toEpochMilli(),
                WEIGHT,
                counted,
                miners.stream().mapToLong(MinerWork::includedShares).sum(),
                OptionalLong.of(oldest.toEpochMilli()),
                OptionalLong.of(at("20:44:53").toEpochMilli()),
                miners);
    }

    private static MinerWork miner(String id, BigInteger counted, long shares, String lastShare) {
        return new MinerWork(id, counted, shares, at(lastShare).toEpochMilli());
    }

    /** The two miners that the sample shows, and forty that it does not. */
    private static List<MinerWork> samplesMiners() {
        List<MinerWork> miners = new ArrayList<>();
        miners.add(miner(MINER + 1, new BigInteger("187931789068725396283438155"), 480, "20:44:53"));
        miners.add(miner(MINER + 2, new BigInteger("122996008292946295941599768"), 300, "20:44:21"));
        BigInteger left = WEIGHT;
        for (MinerWork shown : miners) {
            left = left.subtract(shown.counted());
        }
        BigInteger part = left.divide(BigInteger.valueOf(40));
        for (int i = 0; i < 39; i++) {
            miners.add(miner("other-" + i, part, 29, "20:40:00"));
        }
        miners.add(miner("other-39", left.subtract(part.multiply(BigInteger.valueOf(39))), 31, "20:40:00"));
        return miners;
    }

    private static PoolTotals samplesTotals() {
        FoundBlock latest = new FoundBlock(
                123_450,
                "0000000000000000000abc1230000000000000000000000000000000000000aa",
                at("19:55:00"),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.of(new FoundBlock.Solver(MINER + 1, MINER + "1.rig-a", BigInteger.ONE, BigInteger.ONE)),
                Optional.empty(),
                "22".repeat(32));
        return new PoolTotals(
                new WorkByWindow(
                        NOW,
                        Map.of(
                                RateWindow.H1, work("2440000.25", RateWindow.H1),
                                RateWindow.H3, work("2315000.75", RateWindow.H3),
                                RateWindow.H24, work("2201000.5", RateWindow.H24))),
                42,
                128,
                new BigInteger("32000000000"),
                Optional.of(latest));
    }

    @Test
    void theSummaryIsTheSamples() throws IOException {
        when(pool.totals(any())).thenReturn(samplesTotals());
        when(windows.rewardWindow(any(), any())).thenReturn(window(at("20:35:00"), samplesMiners()));

        JsonNode summary = Bodies.read(documents.summary(soon()));

        ObjectNode expected = (ObjectNode) sample("pool-summary");
        JsonNode rates = summary.get("pool").get("hashrate_ths");
        for (String window : List.of("h1", "h3", "h24")) { // whole units of work lie 1E-17 TH/s apart or less
            JsonNode sampled = expected.get("pool").get("hashrate_ths").get(window);
            assertThat(new BigDecimal(rates.get(window).asText()))
                    .isBetween(
                            new BigDecimal(sampled.asText()).subtract(new BigDecimal("1E-17")),
                            new BigDecimal(sampled.asText()));
        }
        ((ObjectNode) expected.get("pool")).set("hashrate_ths", rates);
        assertThat(summary).isEqualTo(expected);
        ArgumentCaptor<BigInteger> asked = ArgumentCaptor.forClass(BigInteger.class);
        verify(windows).rewardWindow(asked.capture(), any());
        assertThat(asked.getValue()).isEqualTo(DIFFICULTY);
    }

    @Test
    void anEmptyPoolHasNullsInsteadOfGuesses() {
        when(pool.totals(any()))
                .thenReturn(new PoolTotals(new WorkByWindow(NOW, Map.of()), 0, 0, BigInteger.ZERO, Optional.empty()));
        when(windows.rewardWindow(any(), any())).thenReturn(emptyWindow());

        JsonNode shown = Bodies.read(documents.summary(soon())).get("pool");

        assertThat(shown.get("hashrate_ths").get("h3").asText()).isEqualTo("0");
        assertThat(shown.get("expected_time_to_block_seconds").isNull()).isTrue();
        assertThat(shown.get("latest_block").isNull()).isTrue();
        assertThat(shown.get("reward_window").get("oldest_share_accepted_at").isNull())
                .isTrue();
    }

    private static RewardWindowAggregate emptyWindow() {
        return new RewardWindowAggregate(
                NOW.toEpochMilli(), WEIGHT, BigInteger.ZERO, 0, OptionalLong.empty(), OptionalLong.empty(), List.of());
    }

    /** T42: no bits never invent a window. */
    @Test
    void withoutBitsOrNodeTheLedgerIsNotAsked() {
        when(node.getBlockTemplate(any(), any()))
                .thenReturn(JsonNodeFactory.instance.objectNode().put("bits", "00000000"));
        when(node.getShownBlockchainInfo(any()))
                .thenReturn(new ChainInfo(
                        "main",
                        Optional.of(true),
                        OptionalLong.of(1),
                        OptionalLong.of(1),
                        Optional.empty(),
                        Optional.empty()));
        refusedWithoutARead();

        when(node.getShownBlockchainInfo(any()))
                .thenThrow(new RpcException(RpcMethod.GET_BLOCKCHAIN_INFO, new RpcFailure.NotSent("refused")));
        refusedWithoutARead();
    }

    private void refusedWithoutARead() {
        assertThatThrownBy(() -> documents.summary(soon())).isInstanceOf(UpstreamUnavailableException.class);
        assertThatThrownBy(() -> documents.leaderboard(reward(Optional.empty(), Optional.empty(), 1, 15), soon()))
                .isInstanceOf(UpstreamUnavailableException.class);
        verifyNoInteractions(windows, pool, boards);
    }

    private static LeaderboardQuery reward(Optional<String> search, Optional<String> recipient, int page, int limit) {
        return new LeaderboardQuery(LeaderboardQuery.Window.REWARD, new Page(page, limit), search, recipient);
    }

    private JsonNode rewardBoard(LeaderboardQuery query) {
        return Bodies.read(documents.leaderboard(query, soon()));
    }

    private void theSamplesWindow() {
        when(windows.rewardWindow(any(), any())).thenReturn(window(at("20:35:00"), samplesMiners()));
        when(boards.blocksFound(any())).thenReturn(Map.of(MINER + 1, 12L, MINER + 2, 8L));
    }

    @Test
    void theRewardBoardIsTheSamples() throws IOException {
        theSamplesWindow();

        JsonNode board = rewardBoard(reward(Optional.empty(), Optional.empty(), 1, 15));

        JsonNode expected = sample("leaderboard");
        for (String member : List.of("schema", "generated_at", "window", "totals", "pagination")) {
            assertThat(board.get(member)).as(member).isEqualTo(expected.get(member));
        }
        assertThat(board.get("rows")).hasSize(15);
        for (int i = 0; i < 2; i++) {
            ObjectNode row = (ObjectNode) board.get("rows").get(i);
            String percent = row.get("share_percent").asText();
            assertThat(new BigDecimal(percent).precision()).isGreaterThan(30); // the sample has two digits
            row.set("share_percent", expected.get("rows").get(i).get("share_percent"));
            assertThat(row.get("display_name").isNull()).isTrue(); // the sample shows a dummy
            row.set("display_name", expected.get("rows").get(i).get("display_name"));
            assertThat(percent).startsWith(i == 0 ? "27.060000000000000" : "17.710000000000000");
            assertThat(row).isEqualTo(expected.get("rows").get(i));
        }
    }

    @Test
    void filtersComeAfterTheRankingAndTotalsStayGlobal() {
        theSamplesWindow();

        JsonNode one = rewardBoard(reward(Optional.empty(), Optional.of(MINER + 2), 1, 15));
        assertThat(one.get("rows")).singleElement().satisfies(row -> {
            assertThat(row.get("rank").asInt()).isEqualTo(2);
            assertThat(row.get("recipient_id").asText()).isEqualTo(MINER + 2);
        });
        assertThat(one.get("totals").get("participant_count").asInt()).isEqualTo(42);
        assertThat(one.get("pagination").get("total_count").asInt()).isEqualTo(1);

        JsonNode found = rewardBoard(reward(Optional.of("OTHER-3"), Optional.empty(), 2, 10));
        assertThat(found.get("pagination").get("total_count").asInt()).isEqualTo(11);
        assertThat(found.get("rows"))
                .singleElement()
                .satisfies(row -> assertThat(row.get("rank").asInt()).isEqualTo(42));

        assertThat(rewardBoard(reward(Optional.empty(), Optional.of("nobody"), 1, 15))
                        .get("rows"))
                .isEmpty();
        assertThat(rewardBoard(reward(Optional.empty(), Optional.empty(), 99, 15))
                        .get("rows"))
                .isEmpty();
    }

    @Test
    void aWindowWithoutSpanHasNoRates() {
        when(windows.rewardWindow(any(), any())).thenReturn(emptyWindow());
        JsonNode empty = rewardBoard(reward(Optional.empty(), Optional.empty(), 1, 15));
        assertThat(empty.get("window").get("observed_span_seconds").isNull()).isTrue();
        assertThat(empty.get("window").get("is_complete").asBoolean()).isFalse();
        assertThat(empty.get("totals").get("pool_hashrate_ths").isNull()).isTrue();
        assertThat(empty.get("totals").get("expected_time_to_block_seconds").isNull())
                .isTrue();

        when(windows.rewardWindow(any(), any()))
                .thenReturn(window(NOW.minusMillis(999), List.of(miner("a", BigInteger.TEN, 1, "20:44:59"))));
        JsonNode instant = rewardBoard(reward(Optional.empty(), Optional.empty(), 1, 15));
        assertThat(instant.get("window").get("observed_span_seconds").asInt()).isZero();
        assertThat(instant.get("totals").get("pool_hashrate_ths").isNull()).isTrue();
        assertThat(instant.get("rows").get(0).get("hashrate_ths").isNull()).isTrue();
        assertThat(instant.get("rows").get(0).get("share_percent").asText()).isEqualTo("100");
    }

    @Test
    void minersThatDoNotSumToTheirWindowAreNeverShown() {
        RewardWindowAggregate wrong = new RewardWindowAggregate(
                NOW.toEpochMilli(),
                WEIGHT,
                BigInteger.TWO,
                1,
                OptionalLong.of(0),
                OptionalLong.of(0),
                List.of(miner("a", BigInteger.ONE, 1, "20:00:00")));
        when(windows.rewardWindow(any(), any())).thenReturn(wrong);

        assertThatThrownBy(() -> documents.leaderboard(reward(Optional.empty(), Optional.empty(), 1, 15), soon()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theRecentBoardCountsOnlyThoseWhoMatch() {
        BigInteger total = BigInteger.valueOf(4_000_000_000L);
        RankedMiner first = new RankedMiner(
                1, MINER + 1, new AcceptedWork(3, BigInteger.valueOf(3_000_000_000L)), 12, at("20:44:53.987654"));
        when(boards.recent(any(), any(), any()))
                .thenReturn(new RecentBoard(at("17:45:00"), NOW, total, 2, List.of(first)));

        JsonNode board = Bodies.read(documents.leaderboard(
                new LeaderboardQuery(
                        LeaderboardQuery.Window.THREE_HOURS, new Page(1, 1), Optional.of("Rig"), Optional.empty()),
                soon()));

        assertThat(board.get("window").toString())
                .isEqualTo(
                        "{\"ended_at\":\"2026-06-26T20:45:00Z\",\"id\":\"3h\",\"started_at\":\"2026-06-26T17:45:00Z\"}");
        assertThat(board.get("totals").get("pool_hashrate_ths").asText())
                .isEqualTo(Decimals.text(WorkRate.terahashes(total, 10_800)));
        assertThat(board.get("pagination").get("total_pages").asInt()).isEqualTo(2);
        JsonNode row = board.get("rows").get(0);
        assertThat(row.get("share_percent").asText()).isEqualTo("75");
        assertThat(row.get("hash_percent").asText()) // of two rates that were rounded
                .isEqualTo("74.99999999999999999999999999999999999999");
        assertThat(row.get("last_share_at").asText()).isEqualTo("2026-06-26T20:44:53Z");
        verify(boards).recent(eq("Rig"), eq(new PageRequest(1, 1)), any());
        verifyNoInteractions(node);
    }

    /** T43: what is read ahead for smoothing is not shown. */
    @Test
    void aSeriesReadsAheadAndShowsItsRange() {
        long now = NOW.getEpochSecond();
        long start = now - 7 * 86_400;
        long first = start / 300 * 300 + (start % 300 == 0 ? 0 : 300);
        when(pool.series(any(), any(), any()))
                .thenReturn(List.of(bucket(first - 300, 1, 600), bucket(first, 2, 1200), bucket(first + 300, 1, 0)));

        JsonNode series = Bodies.read(documents.hashrateSeries(
                new SeriesQuery(Optional.of("alice"), SeriesRange.WEEK, SeriesBucket.FIVE_MINUTES), soon()));

        assertThat(series.get("subject").toString()).isEqualTo("{\"id\":\"alice\",\"type\":\"miner\"}");
        assertThat(series.get("points")).hasSize(2);
        JsonNode point = series.get("points").get(0);
        assertThat(Instant.parse(point.get("timestamp").asText()).getEpochSecond())
                .isEqualTo(first);
        assertThat(point.get("accepted_share_count").asInt()).isEqualTo(2);
        assertThat(point.get("accepted_share_difficulty").asText()).isEqualTo("1200");
        assertThat(point.get("hashrate_ths").asText())
                .isEqualTo(Decimals.text(WorkRate.terahashes(BigInteger.valueOf(1800), 1800)));
        verify(pool)
                .series(
                        eq(new PoolStatistics.MinerSubject("alice")),
                        eq(new PoolStatistics.SeriesRange(Instant.ofEpochSecond(start - 1800), 300)),
                        any());
    }

    @Test
    void thePoolsWholeSeriesHasNoIdAndNoBegin() {
        when(pool.series(any(), any(), any())).thenReturn(List.of(bucket(0, 1, 600)));

        JsonNode series = Bodies.read(documents.hashrateSeries(
                new SeriesQuery(Optional.empty(), SeriesRange.ALL, SeriesRange.ALL.automatic()), soon()));

        assertThat(series.get("subject").toString()).isEqualTo("{\"id\":null,\"type\":\"pool\"}");
        assertThat(series.get("bucket").asText()).isEqualTo("1d");
        assertThat(series.get("points")).hasSize(1);
        verify(pool)
                .series(
                        eq(new PoolStatistics.PoolSubject()),
                        eq(new PoolStatistics.SeriesRange(Instant.EPOCH, 86_400)),
                        any());
    }

    private static PoolStatistics.SeriesBucket bucket(long epoch, long shares, long difficulty) {
        return new PoolStatistics.SeriesBucket(epoch, new AcceptedWork(shares, BigInteger.valueOf(difficulty)));
    }
}

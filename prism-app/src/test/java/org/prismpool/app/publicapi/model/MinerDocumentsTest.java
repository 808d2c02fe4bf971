package org.prismpool.app.publicapi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
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
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.publicapi.UpstreamUnavailableException;
import org.prismpool.app.publicapi.model.formula.Decimals;
import org.prismpool.app.publicapi.model.formula.WorkRate;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.app.publicapi.query.WorkersQuery;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.read.AcceptedWork;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.FoundBlocks;
import org.prismpool.sharewriter.read.Leaderboards;
import org.prismpool.sharewriter.read.MinerAccount;
import org.prismpool.sharewriter.read.MinerActivity;
import org.prismpool.sharewriter.read.MinerEarning;
import org.prismpool.sharewriter.read.MinerPayout;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.MinerReads.WorkerFilter;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.PoolStatistics;
import org.prismpool.sharewriter.read.PublicReads;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.RewardWindowAggregate;
import org.prismpool.sharewriter.read.RewardWindowAggregate.MinerWork;
import org.prismpool.sharewriter.read.SettlementReads;
import org.prismpool.sharewriter.read.WorkByWindow;
import org.prismpool.sharewriter.read.WorkerBoard;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;
import org.prismpool.templates.rpc.RpcMethod;

/** A miner's pages from the facts of the contract's samples. */
class MinerDocumentsTest {

    private static final String MINER = "qbrt1prismminer000000000000000000000000000000000000001";
    private static final String BLOCK = "0000000000000000000abc1230000000000000000000000000000000000000aa";
    private static final PageRequest FIRST = new PageRequest(1, 15);

    private final NodeRpc node = mock(NodeRpc.class);
    private final PublicReads windows = mock(PublicReads.class);
    private final FoundBlocks found = mock(FoundBlocks.class);
    private final MinerReads miners = mock(MinerReads.class);
    private final MinerDocuments documents = new MinerDocuments(
            new PublicLedger(
                    windows,
                    mock(PoolStatistics.class),
                    found,
                    mock(Leaderboards.class),
                    miners,
                    mock(SettlementReads.class)),
            new NetworkView(node, Network.REGTEST, MonotonicClock.system()),
            SETTINGS,
            CLOCK);

    @BeforeEach
    void aNode() {
        when(node.getShownBlockchainInfo(any()))
                .thenReturn(new ChainInfo(
                        "regtest",
                        Optional.of(false),
                        OptionalLong.of(1),
                        OptionalLong.of(1),
                        Optional.empty(),
                        Optional.of("181b32da")));
        when(node.getBlockTemplate(any(), any()))
                .thenReturn(JsonNodeFactory.instance.objectNode().put("bits", "181b32da"));
    }

    private static Instant at(String time) {
        return Instant.parse("2026-06-26T" + time + "Z");
    }

    private static MinerPayout payout(
            String hash,
            long height,
            String at,
            long amount,
            PayoutAction action,
            Optional<MinerPayout.CovenantOutput> covenant) {
        return new MinerPayout(
                height,
                hash,
                at(at),
                "bb".repeat(32),
                amount,
                BigInteger.valueOf(1_842_000),
                action,
                MaturityState.IMMATURE,
                covenant);
    }

    private static MinerPayout byCoinbase() {
        return payout(BLOCK, 123_450, "19:55:00.123456", 66_943_800, PayoutAction.ONCHAIN, Optional.empty());
    }

    private static WorkerBoard.Worker worker(String name, String at, long minute, long hours) {
        return new WorkerBoard.Worker(name, true, at(at), BigInteger.valueOf(minute), BigInteger.valueOf(hours));
    }

    private void theSamplesMiner() {
        when(miners.activity(eq(MINER), any()))
                .thenReturn(new MinerActivity(
                        new WorkByWindow(
                                NOW,
                                Map.of(RateWindow.H3, new AcceptedWork(480, BigInteger.valueOf(118_100_000_000L)))),
                        Optional.of(at("20:44:53"))));
        when(miners.account(eq(MINER), any()))
                .thenReturn(new MinerAccount(
                        BigInteger.valueOf(1_842_000), new BigInteger("38654846757"), BigInteger.valueOf(66_943_800)));
        when(miners.workers(eq(MINER), eq(WorkerFilter.ALL), eq(new PageRequest(1, 5)), any()))
                .thenReturn(new WorkerBoard(
                        NOW, 2, 2, List.of(worker("rig-a", "20:44:53", 0, 0), worker("rig-b", "20:44:10", 0, 0))));
        when(miners.payouts(eq(MINER), eq(new PageRequest(1, 5)), any()))
                .thenReturn(new Paged<>(64, List.of(byCoinbase())));
        window(2706, 10_000);
        when(found.latest(any()))
                .thenReturn(Optional.of(new FoundBlock(
                        123_450,
                        BLOCK,
                        NOW,
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.of(250_000_000),
                        Optional.empty(),
                        Optional.empty(),
                        "22".repeat(32))));
    }

    private void window(long part, long total) {
        when(windows.rewardWindow(any(), any()))
                .thenReturn(new RewardWindowAggregate(
                        NOW.toEpochMilli(),
                        BigInteger.TEN,
                        BigInteger.valueOf(total),
                        1,
                        OptionalLong.of(0),
                        OptionalLong.of(0),
                        List.of(
                                new MinerWork("other", BigInteger.valueOf(total - part), 1, 0),
                                new MinerWork(MINER, BigInteger.valueOf(part), 1, 0))));
    }

    @Test
    void theMinerIsTheSamples() throws IOException {
        theSamplesMiner();

        ObjectNode miner = (ObjectNode) Bodies.read(documents.miner(MINER, soon()));

        assertThat(miner.get("hashrate_ths").get("m1").asText()).isEqualTo("0");
        assertThat(miner.get("hashrate_ths").get("h3").asText())
                .isEqualTo(Decimals.text(WorkRate.terahashes(BigInteger.valueOf(118_100_000_000L), 10_800)));
        ObjectNode expected = (ObjectNode) sample("miner"); // whose rates are no quotients of its work
        miner.set("hashrate_ths", expected.get("hashrate_ths"));
        for (int i = 0; i < 2; i++) {
            for (String rate : List.of("hashrate_ths_60s", "hashrate_ths_3h")) {
                ((ObjectNode) miner.get("workers").get(i))
                        .set(rate, expected.get("workers").get(i).get(rate));
            }
        }
        assertThat(miner).isEqualTo(expected);
    }

    @Test
    void aMinimumThatIsReachedTakesNoTime() {
        theSamplesMiner();
        when(miners.account(any(), any()))
                .thenReturn(new MinerAccount(BigInteger.valueOf(10_485_760), BigInteger.ZERO, BigInteger.ZERO));

        assertThat(Bodies.read(documents.miner(MINER, soon()))
                        .get("estimated_time_to_minimum_payout_seconds")
                        .asInt(-1))
                .isZero();
    }

    @Test
    void anEstimateNeedsAWindowAndABlock() {
        theSamplesMiner();
        when(found.latest(any())).thenReturn(Optional.empty());
        JsonNode noBlock = Bodies.read(documents.miner(MINER, soon())).get("estimated_next_block");
        assertThat(noBlock.get("share_percent").asText()).isEqualTo("27.06");
        assertThat(noBlock.get("estimated_reward_bits").isNull()).isTrue();

        window(0, 0);
        JsonNode noWindow = Bodies.read(documents.miner(MINER, soon()));
        assertThat(noWindow.get("reward_window_percent").isNull()).isTrue();
        assertThat(noWindow.get("estimated_next_block").get("share_percent").isNull())
                .isTrue();
    }

    @Test
    void anUnknownMinerHasZeros() {
        theSamplesMiner();
        when(miners.activity(eq("nobody"), any()))
                .thenReturn(new MinerActivity(new WorkByWindow(NOW, Map.of()), Optional.empty()));
        when(miners.account(eq("nobody"), any()))
                .thenReturn(new MinerAccount(BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO));
        when(miners.workers(eq("nobody"), any(), any(), any())).thenReturn(new WorkerBoard(NOW, 0, 0, List.of()));
        when(miners.payouts(eq("nobody"), any(), any())).thenReturn(new Paged<>(0, List.of()));
        when(miners.earnings(eq("nobody"), any(), any())).thenReturn(new Paged<>(0, List.of()));

        JsonNode nobody = Bodies.read(documents.miner("nobody", soon()));
        assertThat(nobody.get("reward_window_percent").asText()).isEqualTo("0");
        assertThat(nobody.get("estimated_next_block")
                        .get("estimated_reward_bits")
                        .asInt(-1))
                .isZero();
        assertThat(nobody.get("workers")).isEmpty();
        assertThat(Bodies.read(documents.earnings("nobody", new Page(1, 15), soon()))
                        .get("pagination")
                        .get("total_pages")
                        .asInt(-1))
                .isZero();
        assertThat(Bodies.read(documents.payouts("nobody", new Page(1, 15), soon()))
                        .get("rows"))
                .isEmpty();
    }

    @Test
    void withoutTheNodeTheLedgerIsNotAsked() {
        when(node.getShownBlockchainInfo(any()))
                .thenThrow(new RpcException(RpcMethod.GET_BLOCKCHAIN_INFO, new RpcFailure.NotSent("refused")));

        assertThatThrownBy(() -> documents.miner(MINER, soon())).isInstanceOf(UpstreamUnavailableException.class);
        verifyNoInteractions(miners, windows, found);
    }

    @Test
    void earningsAreTheSamples() throws IOException {
        MinerEarning earning = new MinerEarning(
                123_450,
                BLOCK,
                at("19:55:00"),
                67_620_000,
                new BigInteger("249981515"),
                676_200,
                MaturityState.IMMATURE);
        when(miners.earnings(eq(MINER), eq(FIRST), any())).thenReturn(new Paged<>(128, List.of(earning)));

        JsonNode earnings = Bodies.read(documents.earnings(MINER, new Page(1, 15), soon()));

        ObjectNode expected = (ObjectNode) sample("miner-earnings");
        ObjectNode row = (ObjectNode) earnings.get("rows").get(0);
        assertThat(row.get("reward_share_percent").asText()).startsWith("27.05");
        row.set("reward_share_percent", expected.get("rows").get(0).get("reward_share_percent"));
        assertThat(earnings).isEqualTo(expected);
    }

    @Test
    void aFeeAboveTheEarningLeavesNothing() {
        MinerEarning earning = new MinerEarning(1, BLOCK, NOW, 100, BigInteger.ZERO, 101, MaturityState.MATURE);
        when(miners.earnings(any(), any(), any())).thenReturn(new Paged<>(1, List.of(earning)));

        JsonNode row = Bodies.read(documents.earnings(MINER, new Page(1, 15), soon()))
                .get("rows")
                .get(0);

        assertThat(row.get("net_earning_bits").asInt(-1)).isZero();
        assertThat(row.get("reward_share_percent").asText()).isEqualTo("0");
    }

    /** T44: what a covenant pays has its transaction and its committed value. */
    @Test
    void payoutsAreTheSamples() throws IOException {
        MinerPayout covenant = new MinerPayout(
                123_448,
                BLOCK.substring(1) + "b",
                at("19:35:00"),
                "bb".repeat(32),
                5_300_000,
                BigInteger.valueOf(-7),
                PayoutAction.ONCHAIN,
                MaturityState.IMMATURE,
                Optional.of(new MinerPayout.CovenantOutput("cc".repeat(32), 0, 5_231_648)));
        when(miners.payouts(eq(MINER), eq(FIRST), any())).thenReturn(new Paged<>(64, List.of(byCoinbase(), covenant)));

        JsonNode payouts = Bodies.read(documents.payouts(MINER, new Page(1, 15), soon()));

        ObjectNode expected = (ObjectNode) sample("miner-payouts");
        ((ObjectNode) expected.get("rows").get(1)).put("block_hash", BLOCK.substring(1) + "b");
        assertThat(payouts).isEqualTo(expected);
    }

    @Test
    void whatIsCarriedForwardHasNoTransaction() {
        MinerPayout accrued = payout(BLOCK, 7, "19:35:00", 0, PayoutAction.ACCRUED, Optional.empty());
        when(miners.payouts(any(), any(), any())).thenReturn(new Paged<>(1, List.of(accrued)));

        JsonNode row = Bodies.read(documents.payouts(MINER, new Page(1, 15), soon()))
                .get("rows")
                .get(0);

        assertThat(row.get("transaction_kind").asText()).isEqualTo("carry_forward");
        assertThat(row.get("transaction_id").isNull()).isTrue();
        assertThat(row.get("explorer_url").isNull()).isTrue();
        assertThat(row.get("action").asText()).isEqualTo("accrued");
        assertThat(row.get("carry_forward_balance_bits").asLong()).isEqualTo(1_842_000);
    }

    @Test
    void workersHaveTheRatesOfTheirWork() {
        WorkerBoard.Worker idle = new WorkerBoard.Worker(
                "default", false, at("20:00:00"), BigInteger.ZERO, BigInteger.valueOf(10_800_000));
        when(miners.workers(eq(MINER), eq(new WorkerFilter("RIG", true)), eq(FIRST), any()))
                .thenReturn(new WorkerBoard(NOW, 2, 1, List.of(worker("rig-a", "20:44:53", 6000, 10_800_000), idle)));

        JsonNode workers = Bodies.read(
                documents.workers(new WorkersQuery(MINER, new Page(1, 15), Optional.of("RIG"), true), soon()));

        assertThat(workers.get("pagination").get("total_count").asInt()).isEqualTo(2);
        JsonNode active = workers.get("rows").get(0);
        assertThat(active.get("hashrate_ths_60s").asText())
                .isEqualTo(Decimals.text(WorkRate.terahashes(BigInteger.valueOf(6000), 60)));
        assertThat(workers.get("rows").get(1).get("status").asText()).isEqualTo("inactive");
        assertThat(workers.get("rows").get(1).get("hashrate_ths_60s").asText()).isEqualTo("0");
    }
}

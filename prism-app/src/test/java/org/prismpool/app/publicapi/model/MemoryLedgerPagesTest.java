package org.prismpool.app.publicapi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.prismpool.app.publicapi.model.Bodies.CLOCK;
import static org.prismpool.app.publicapi.model.Bodies.NOW;
import static org.prismpool.app.publicapi.model.Bodies.SETTINGS;
import static org.prismpool.app.publicapi.model.Bodies.soon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.publicapi.PublicModels;
import org.prismpool.app.publicapi.model.formula.Decimals;
import org.prismpool.app.publicapi.model.formula.WorkRate;
import org.prismpool.app.publicapi.query.LeaderboardQuery;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.app.publicapi.query.SeriesBucket;
import org.prismpool.app.publicapi.query.SeriesQuery;
import org.prismpool.app.publicapi.query.SeriesRange;
import org.prismpool.app.publicapi.query.WorkersQuery;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.memory.MemoryLedger;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.NodeRpc;

/** All pages over a ledger with four shares and one block; every value is chosen by hand. */
class MemoryLedgerPagesTest {

    private static final String BLOCK = "44".repeat(32);
    private static final String SET_TEXT = "{\"set\":1}";
    private static final String MANIFEST_TEXT = "{\"chunk\":0}";
    private static final String FANOUT = "60".repeat(32);
    private static final Path BUNDLE = Path.of(
            "..",
            "prism-payout",
            "src",
            "test",
            "resources",
            "vectors",
            "payout",
            "build",
            "two-miners",
            "bundle.json");

    private final NodeRpc node = mock(NodeRpc.class);
    private final AuditBundle bundle = bundle();
    private final MemoryLedger ledger = new MemoryLedger(NOW::toEpochMilli);
    private final PublicModels pages = ReadModels.of(
            ledger.reads(),
            new NetworkView(node, Network.REGTEST, MonotonicClock.system()),
            body -> bundle,
            SETTINGS,
            CLOCK);

    @BeforeEach
    void fourSharesAndABlock() {
        when(node.getShownBlockchainInfo(any()))
                .thenReturn(new ChainInfo(
                        "regtest",
                        Optional.of(false),
                        OptionalLong.of(8),
                        OptionalLong.of(8),
                        Optional.empty(),
                        Optional.empty()));
        when(node.getBlockTemplate(any(), any()))
                .thenReturn(JsonNodeFactory.instance.objectNode().put("bits", "207fffff"));
        ledger.shares()
                .append(List.of(
                                share("bob:" + "01".repeat(32), "bob", 10_000_000, Duration.ofHours(5)),
                                share("alice.rig-b:" + "02".repeat(32), "alice", 1_000_000, Duration.ofHours(2)),
                                share("bob:" + "03".repeat(32), "bob", 2_000_000, Duration.ofMinutes(5)),
                                share("alice.rig-a:" + BLOCK, "alice", 3_000_000, Duration.ofSeconds(30)))
                        .stream()
                        .map(AppendEntry::share)
                        .toList());
        ledger.blocks()
                .persist(
                        new AcceptedBlock(
                                BLOCK,
                                7,
                                "43".repeat(32),
                                "c0".repeat(32),
                                "e0".repeat(32),
                                new AuditBundleRow(
                                        new AuditBundleRow.External("body.json", 10),
                                        bundle.sha256Hex(),
                                        "01000000",
                                        AuditBundleRow.DEFAULT_SCHEMA,
                                        Optional.of(new AuditBundleRow.FoundBlockFacts(
                                                BigInteger.valueOf(1_000_000), "207fffff", 4000)),
                                        Optional.empty(),
                                        Optional.empty()),
                                List.of(
                                        account("alice", 0xaa, 3000, 3000, 10, PayoutAction.ONCHAIN),
                                        account("bob", 0xbb, 1000, 0, 0, PayoutAction.ACCRUED))),
                        soon());
        ledger.blocks().confirm(BLOCK, 7, soon());
    }

    private static AuditBundle bundle() {
        try {
            return AuditBundle.read(ExactReader.of(Files.readAllBytes(BUNDLE)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PendingShare share(String id, String miner, long difficulty, Duration age) {
        long at = NOW.minus(age).toEpochMilli();
        return new PendingShare(
                id,
                miner,
                miner,
                P2mrProgram.ofHex("aa".repeat(32)),
                BigInteger.valueOf(difficulty),
                BigInteger.valueOf(1_000_000),
                7,
                "job",
                at - 1000,
                at,
                at / 1000,
                CreditPolicy.CURRENT);
    }

    private static PayoutAccount account(
            String miner, int program, long gross, long onchain, long fee, PayoutAction action) {
        return new PayoutAccount(
                miner,
                miner,
                P2mrProgram.ofHex(String.format("%02x", program).repeat(32)),
                gross,
                BigInteger.ZERO,
                BigInteger.valueOf(gross),
                onchain,
                fee,
                BigInteger.valueOf(gross - onchain),
                action);
    }

    private static String rate(long difficulty, long seconds) {
        return Decimals.text(WorkRate.terahashes(BigInteger.valueOf(difficulty), seconds));
    }

    private static Page first() {
        return new Page(1, 15);
    }

    @Test
    void theSummaryShowsThePool() {
        JsonNode pool = Bodies.read(pages.pool().summary(soon())).get("pool");

        assertThat(pool.get("hashrate_ths").get("h1").asText()).isEqualTo(rate(5_000_000, 3600));
        assertThat(pool.get("hashrate_ths").get("h3").asText()).isEqualTo(rate(6_000_000, 10_800));
        assertThat(pool.get("hashrate_ths").get("h24").asText()).isEqualTo(rate(16_000_000, 86_400));
        assertThat(pool.get("participants_3h").asInt()).isEqualTo(2);
        assertThat(pool.get("blocks_found_total").asInt()).isEqualTo(1);
        assertThat(pool.get("total_mined_bits").asLong()).isEqualTo(4000);
        // a million of six million in three hours
        assertThat(pool.get("expected_time_to_block_seconds").asLong()).isEqualTo(1800);
        assertThat(pool.get("latest_block").get("solver_worker_name").asText()).isEqualTo("rig-a");
        assertThat(pool.get("latest_block").get("age_seconds").asLong()).isZero();
        JsonNode window = pool.get("reward_window");
        assertThat(window.get("requested_window_weight").asText()).isEqualTo("8000000");
        assertThat(window.get("included_share_count").asInt()).isEqualTo(4);
        assertThat(window.get("oldest_share_accepted_at").asText()).isEqualTo("2026-06-26T15:45:00Z");
        assertThat(window.get("newest_share_accepted_at").asText()).isEqualTo("2026-06-26T20:44:30Z");
    }

    @Test
    void theBoardsRankByTheirWindows() {
        JsonNode recent = Bodies.read(pages.pool()
                .leaderboard(
                        new LeaderboardQuery(
                                LeaderboardQuery.Window.THREE_HOURS, first(), Optional.empty(), Optional.empty()),
                        soon()));
        assertThat(recent.at("/rows/0/recipient_id").asText()).isEqualTo("alice");
        assertThat(recent.at("/rows/0/share_percent").asText()).startsWith("66.6666");
        assertThat(recent.at("/rows/0/blocks_found").asInt()).isEqualTo(1);
        assertThat(recent.at("/totals/pool_accepted_share_difficulty").asText()).isEqualTo("6000000");

        JsonNode reward = Bodies.read(pages.pool()
                .leaderboard(
                        new LeaderboardQuery(
                                LeaderboardQuery.Window.REWARD, first(), Optional.empty(), Optional.of("bob")),
                        soon()));
        assertThat(reward.at("/window/counted_window_weight").asText()).isEqualTo("8000000");
        assertThat(reward.at("/window/is_complete").asBoolean()).isTrue();
        assertThat(reward.at("/window/observed_span_seconds").asLong()).isEqualTo(18_000);
        assertThat(reward.at("/rows/0/rank").asInt()).isEqualTo(2); // equal work, then by name
        assertThat(reward.at("/rows/0/counted_share_difficulty").asText()).isEqualTo("4000000");
        assertThat(reward.at("/rows/0/hashrate_ths").asText()).isEqualTo(rate(4_000_000, 18_000));
        assertThat(reward.at("/rows/0/included_share_count").asInt()).isEqualTo(2);
    }

    @Test
    void theSeriesHoldsEachBucketWithShares() {
        JsonNode series = Bodies.read(pages.pool()
                .hashrateSeries(
                        new SeriesQuery(Optional.of("alice"), SeriesRange.WEEK, SeriesBucket.ONE_HOUR), soon()));

        assertThat(series.get("points")).hasSize(2);
        assertThat(series.at("/points/0/timestamp").asText()).isEqualTo("2026-06-26T18:00:00Z");
        assertThat(series.at("/points/1/hashrate_ths").asText()).isEqualTo(rate(3_000_000, 3600));
    }

    @Test
    void aBlockHasItsFactsAndItsSolver() {
        JsonNode row = Bodies.read(pages.blocks().blocks(first(), soon())).at("/rows/0");

        assertThat(row.get("hash").asText()).isEqualTo(BLOCK);
        assertThat(row.get("network_difficulty").asText()).isEqualTo("1000000");
        assertThat(row.get("reward_window_weight").asText()).isEqualTo("8000000");
        assertThat(row.get("solver_recipient_id").asText()).isEqualTo("alice");
        assertThat(row.get("solver_share_difficulty").asText()).isEqualTo("3000000");
        assertThat(row.get("coinbase_value_bits").asLong()).isEqualTo(4000);
    }

    @Test
    void aMinerSeesItsWorkItsMoneyAndItsWorkers() {
        JsonNode alice = Bodies.read(pages.miners().miner("alice", soon()));
        assertThat(alice.at("/hashrate_ths/m1").asText()).isEqualTo(rate(3_000_000, 60));
        assertThat(alice.at("/hashrate_ths/h3").asText()).isEqualTo(rate(4_000_000, 10_800));
        assertThat(alice.at("/shares/accepted_3h").asInt()).isEqualTo(2);
        assertThat(alice.at("/reward_window_percent").asText()).isEqualTo("50");
        assertThat(alice.at("/estimated_next_block/estimated_reward_bits").asLong())
                .isEqualTo(1980); // half of 4000 less one percent
        assertThat(alice.at("/owed_balance_bits").asLong()).isZero();
        assertThat(alice.at("/lifetime_earnings_bits").asLong()).isEqualTo(3000);
        assertThat(alice.at("/pending_maturity_bits").asLong()).isEqualTo(2990);
        assertThat(alice.at("/workers_currently_hashing").asInt()).isEqualTo(1);
        assertThat(alice.get("workers")).hasSize(2);
        assertThat(alice.get("recent_payouts")).hasSize(1);

        assertThat(Bodies.read(pages.miners().miner("bob", soon()))
                        .get("owed_balance_bits")
                        .asLong())
                .isEqualTo(1000);
        assertThat(Bodies.read(pages.miners().miner("nobody", soon()))
                        .get("reward_window_percent")
                        .asText())
                .isEqualTo("0");
    }

    @Test
    void earningsPayoutsAndWorkersAreListed() {
        JsonNode earning =
                Bodies.read(pages.miners().earnings("alice", first(), soon())).at("/rows/0");
        assertThat(earning.get("reward_share_percent").asText()).isEqualTo("75");
        assertThat(earning.get("net_earning_bits").asLong()).isEqualTo(2990);

        JsonNode paid =
                Bodies.read(pages.miners().payouts("alice", first(), soon())).at("/rows/0");
        assertThat(paid.get("transaction_kind").asText()).isEqualTo("coinbase");
        assertThat(paid.get("transaction_id").asText()).isEqualTo("c0".repeat(32));
        JsonNode carried =
                Bodies.read(pages.miners().payouts("bob", first(), soon())).at("/rows/0");
        assertThat(carried.get("transaction_kind").asText()).isEqualTo("carry_forward");
        assertThat(carried.get("carry_forward_balance_bits").asLong()).isEqualTo(1000);

        JsonNode active =
                Bodies.read(pages.miners().workers(new WorkersQuery("alice", first(), Optional.empty(), true), soon()));
        assertThat(active.get("rows")).hasSize(1);
        assertThat(active.at("/rows/0/worker_name").asText()).isEqualTo("rig-a");
        JsonNode bobs =
                Bodies.read(pages.miners().workers(new WorkersQuery("bob", first(), Optional.empty(), false), soon()));
        assertThat(bobs.at("/rows/0/worker_name").asText()).isEqualTo("default");
    }

    private static String sha256(String text) {
        return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
    }

    @Test
    void settlementArtifactsAreFoundAndServed() {
        assertThat(Bodies.read(pages.blocks().settlementArtifacts(BLOCK, soon()))
                        .get("settlement_mode")
                        .asText())
                .isEqualTo("direct_coinbase");

        ledger.fanouts()
                .persist(
                        new FanoutSet(
                                BLOCK,
                                SET_TEXT,
                                sha256(SET_TEXT),
                                "ctv_fanout",
                                "c0".repeat(32),
                                "01000000",
                                900,
                                1000,
                                List.of(new FanoutArtifact(
                                        FANOUT,
                                        MANIFEST_TEXT,
                                        sha256(MANIFEST_TEXT),
                                        "22".repeat(32),
                                        "23".repeat(32),
                                        "24".repeat(32),
                                        0,
                                        1,
                                        "aa",
                                        "bb",
                                        OptionalInt.empty(),
                                        1000,
                                        900))),
                        soon());

        JsonNode settlement = Bodies.read(pages.blocks().settlementArtifacts(BLOCK, soon()));
        assertThat(settlement.get("settlement_mode").asText()).isEqualTo("ctv_fanout");
        assertThat(settlement.at("/artifact_links/1/byte_length").asInt()).isEqualTo(SET_TEXT.length());
        assertThat(settlement.at("/fanouts/0/broadcastable_at_height").asInt()).isEqualTo(1007);
        for (JsonNode link : settlement.get("artifact_links")) {
            String sha256 = link.get("sha256").asText();
            byte[] served = pages.blocks().artifact(sha256, soon()).bytes();
            assertThat(Hashing.sha256().hashBytes(served).toString()).isEqualTo(sha256);
        }
        assertThat(pages.blocks().artifact(sha256(MANIFEST_TEXT), soon()).bytes())
                .isEqualTo(MANIFEST_TEXT.getBytes(StandardCharsets.UTF_8));
        assertThat(Bodies.read(pages.blocks().pendingFanouts(first(), soon())).at("/rows/0"))
                .isEqualTo(Bodies.read(pages.blocks().fanout(FANOUT, soon())).get("fanout"));
    }
}

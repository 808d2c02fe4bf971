package org.prismpool.app.publicapi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.prismpool.app.publicapi.model.Bodies.CLOCK;
import static org.prismpool.app.publicapi.model.Bodies.EXPLORER;
import static org.prismpool.app.publicapi.model.Bodies.soon;
import static org.prismpool.app.publicapi.model.SamplesTest.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hashing;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.prismpool.app.publicapi.NotFoundException;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutRow;
import org.prismpool.sharewriter.fanout.FanoutStatus;
import org.prismpool.sharewriter.read.BlockSettlement;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.FoundBlocks;
import org.prismpool.sharewriter.read.Leaderboards;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.PoolStatistics;
import org.prismpool.sharewriter.read.PublicArtifact;
import org.prismpool.sharewriter.read.PublicFanout;
import org.prismpool.sharewriter.read.PublicReads;
import org.prismpool.sharewriter.read.SettlementReads;

/** Blocks, settlements and artifacts from the facts of the contract's samples. */
class BlockDocumentsTest {

    private static final String BLOCK = "0000000000000000000abc1230000000000000000000000000000000000000aa";
    private static final String MINER = "qbrt1prismminer00000000000000000000000000000000000000";
    private static final String FANOUT = "aa".repeat(32);
    private static final String BUNDLE = "11".repeat(32);
    private static final String SET = "33".repeat(32);
    private static final Path VECTORS =
            Path.of("..", "prism-payout", "src", "test", "resources", "vectors", "payout", "build");

    private final FoundBlocks found = mock(FoundBlocks.class);
    private final SettlementReads settlements = mock(SettlementReads.class);
    private final Map<String, AuditBundle> disk = new HashMap<>();
    private final BlockDocuments documents = new BlockDocuments(
            new PublicLedger(
                    mock(PublicReads.class),
                    mock(PoolStatistics.class),
                    found,
                    mock(Leaderboards.class),
                    mock(MinerReads.class),
                    settlements),
            body -> Optional.ofNullable(disk.get(((AuditBundleRow.External) body).uri()))
                    .orElseThrow(() -> new UncheckedIOException(new IOException("/secret/audit/body.json: EIO"))),
            EXPLORER,
            CLOCK);

    private static AuditBundle vector(String name) {
        try {
            return AuditBundle.read(
                    ExactReader.of(Files.readAllBytes(VECTORS.resolve(name).resolve("bundle.json"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AuditBundleRow row(String sha256) {
        return new AuditBundleRow(
                new AuditBundleRow.External("body.json", 10),
                sha256,
                "01000000",
                AuditBundleRow.DEFAULT_SCHEMA,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static PoolBlock block(String hash, long height, String manifest) {
        return new PoolBlock(
                hash,
                height,
                "ee".repeat(32),
                "bb".repeat(32),
                manifest,
                0,
                ChainState.CONFIRMED,
                MaturityState.IMMATURE,
                OptionalLong.of(1));
    }

    @Test
    void blocksAreTheSamples() throws IOException {
        FoundBlock known = new FoundBlock(
                123_450,
                BLOCK,
                Instant.parse("2026-06-26T19:55:00.5Z"),
                Optional.of(new BigInteger("2147516160496101")),
                Optional.of("1d00ffff"),
                OptionalLong.of(250_000_000),
                Optional.of(new FoundBlock.Solver(
                        MINER + 1, MINER + "1.rig-a", new BigInteger("2200000000000000"), BigInteger.ONE)),
                Optional.of(BUNDLE),
                "22".repeat(32));
        when(found.page(eq(new PageRequest(1, 15)), any())).thenReturn(new Paged<>(128, List.of(known)));

        JsonNode blocks = Bodies.read(documents.blocks(new Page(1, 15), soon()));

        JsonNode expected = sample("blocks");
        assertThat(blocks.get("pagination")).isEqualTo(expected.get("pagination"));
        assertThat(blocks.get("rows").get(0)).isEqualTo(expected.get("rows").get(0));
    }

    @Test
    void whatABlockDoesNotTellHasTheContractsDefault() {
        FoundBlock.Solver solver = new FoundBlock.Solver("miner", "miner", BigInteger.TEN, BigInteger.valueOf(77));
        when(found.page(any(), any()))
                .thenReturn(new Paged<>(2, List.of(bare(Optional.empty()), bare(Optional.of(solver)))));

        JsonNode rows = Bodies.read(documents.blocks(new Page(1, 15), soon())).get("rows");

        JsonNode unknown = rows.get(0);
        assertThat(unknown.get("network_difficulty").asText()).isEqualTo("0");
        assertThat(unknown.get("bits").asText()).isEqualTo("00000000");
        assertThat(unknown.get("solver_recipient_id").asText()).isEmpty();
        assertThat(unknown.get("solver_worker_name").isNull()).isTrue();
        assertThat(unknown.get("reward_window_weight").isNull()).isTrue();
        assertThat(unknown.get("coinbase_value_bits").asLong()).isZero();
        assertThat(rows.get(1).get("network_difficulty").asText()).isEqualTo("77");
        assertThat(rows.get(1).get("reward_window_weight").isNull()).isTrue();
        assertThat(rows.get(1).get("solver_worker_name").isNull()).isTrue();
    }

    private static FoundBlock bare(Optional<FoundBlock.Solver> solver) {
        return new FoundBlock(
                7,
                BLOCK,
                Instant.EPOCH,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                solver,
                Optional.empty(),
                "22".repeat(32));
    }

    private static PublicFanout fanout(FanoutStatus status, OptionalInt anchor, long outputs, Optional<String> error) {
        FanoutArtifact artifact = new FanoutArtifact(
                FANOUT,
                "{}",
                "44".repeat(32),
                "cc".repeat(32),
                "cc".repeat(32),
                "cc".repeat(32),
                0,
                2,
                "02000000000100",
                "02000000000100",
                anchor,
                4_200_000,
                outputs);
        FanoutRow row = new FanoutRow(
                block(BLOCK, 123_450, "22".repeat(32)),
                artifact,
                SET,
                1,
                "bb".repeat(32),
                status,
                0,
                OptionalLong.empty());
        return new PublicFanout(row, Optional.of(BUNDLE), error.map(any -> Instant.EPOCH), error);
    }

    private static PublicFanout samplesFanout() {
        return fanout(FanoutStatus.AWAITING_MATURITY, OptionalInt.empty(), 4_180_000, Optional.empty());
    }

    /** The sample shows a dummy digest and no explorer (spec 08 §12). */
    private static JsonNode expected(JsonNode sampled) {
        ((ObjectNode) sampled)
                .put("fanout_tx_sha256", FANOUT)
                .put("explorer_url", "https://explorer.example/tx/" + FANOUT);
        return sampled;
    }

    @Test
    void aFanoutIsTheSamples() throws IOException {
        when(settlements.fanout(eq(FANOUT), any())).thenReturn(Optional.of(samplesFanout()));
        when(settlements.pendingFanouts(eq(new PageRequest(1, 15)), any()))
                .thenReturn(new Paged<>(1, List.of(samplesFanout())));

        assertThat(Bodies.read(documents.fanout(FANOUT, soon())).get("fanout"))
                .isEqualTo(expected(sample("fanout").get("fanout")));
        JsonNode pending = Bodies.read(documents.pendingFanouts(new Page(1, 15), soon()));
        assertThat(pending.get("pagination"))
                .isEqualTo(sample("pending-fanouts").get("pagination"));
        assertThat(pending.get("rows").get(0))
                .isEqualTo(expected(sample("pending-fanouts").get("rows").get(0)));
        when(settlements.fanout(any(), any())).thenReturn(Optional.empty());
        assertThatThrownBy(() -> documents.fanout(FANOUT, soon()))
                .isInstanceOf(NotFoundException.class)
                .hasMessage("unknown PRISM CTV fanout");
    }

    @Test
    void anAnchorIsSpendableOnlyWithoutAFeeAndWhenBroadcastable() {
        assertThat(spendable(FanoutStatus.BROADCASTABLE, OptionalInt.of(3), 4_200_000))
                .isTrue();
        assertThat(spendable(FanoutStatus.AWAITING_MATURITY, OptionalInt.of(3), 4_200_000))
                .isFalse();
        assertThat(spendable(FanoutStatus.BROADCASTABLE, OptionalInt.empty(), 4_200_000))
                .isFalse();
        assertThat(spendable(FanoutStatus.BROADCASTABLE, OptionalInt.of(3), 4_199_999))
                .isFalse();
    }

    private boolean spendable(FanoutStatus status, OptionalInt anchor, long outputs) {
        when(settlements.fanout(any(), any()))
                .thenReturn(Optional.of(fanout(status, anchor, outputs, Optional.empty())));
        return Bodies.read(documents.fanout(FANOUT, soon()))
                .get("fanout")
                .get("cpfp_anchor_spendable")
                .asBoolean();
    }

    @Test
    void aNodesRefusalIsShownInThePublicUnit() {
        when(settlements.fanout(any(), any()))
                .thenReturn(Optional.of(fanout(
                        FanoutStatus.FAILED,
                        OptionalInt.empty(),
                        1,
                        Optional.of("min fee 5 Satoshis, 10 sats wanted"))));

        JsonNode shown = Bodies.read(documents.fanout(FANOUT, soon())).get("fanout");

        assertThat(shown.get("last_broadcast_error").asText()).isEqualTo("min fee 5 bits, 10 bits wanted");
        assertThat(shown.get("last_broadcast_attempt_at").asText()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(shown.get("fanout_fee_bits").asLong()).isEqualTo(4_199_999);
    }

    private JsonNode settlement(BlockSettlement settlement) {
        when(settlements.ofBlock(any(), any())).thenReturn(Optional.of(settlement));
        return Bodies.read(documents.settlementArtifacts(BLOCK, soon()));
    }

    private static BlockSettlement covenants(String bundleSha256) {
        return new BlockSettlement(
                block(BLOCK, 123_450, "22".repeat(32)),
                Optional.of(row(bundleSha256)),
                Optional.of(new BlockSettlement.ManifestSet(SET, "hybrid_coinbase_ctv_fanout", 98_240)),
                List.of(samplesFanout()));
    }

    @Test
    void aCovenantSettlementIsTheSamples() throws IOException {
        AuditBundle bundle = vector("ctv-hybrid");
        disk.put("body.json", bundle);
        String sha256 = bundle.sha256Hex();
        ObjectNode expected = (ObjectNode) sample("settlement-artifacts");
        expected(expected.get("fanouts").get(0));
        expected.put("audit_bundle_sha256", sha256);
        ((ObjectNode) expected.get("artifact_links").get(0))
                .put("sha256", sha256)
                .put("url", "/public/v1/artifacts/" + sha256)
                .putNull("byte_length");

        assertThat(settlement(covenants(sha256))).isEqualTo(expected);
    }

    @Test
    void aBundleThatCannotBeReadOrProvedHasNoLink() {
        JsonNode unreadable = settlement(covenants(BUNDLE));
        assertThat(unreadable.get("artifact_links"))
                .singleElement()
                .satisfies(link -> assertThat(link.get("kind").asText()).isEqualTo("ctv_manifest_set"));
        assertThat(unreadable.get("audit_bundle_sha256").asText()).isEqualTo(BUNDLE);

        disk.put("body.json", vector("ctv-hybrid"));
        assertThat(settlement(covenants(BUNDLE)).get("artifact_links")).hasSize(1);
    }

    private static BlockSettlement withoutSet(String sha256) {
        return new BlockSettlement(
                block("00000000000026e9383a5aeae5fe5c3297f24884f29c4cf1585f71829491f0d9", 23_342, "8c".repeat(32)),
                Optional.of(row(sha256)),
                Optional.empty(),
                List.of());
    }

    @Test
    void aSettlementByTheCoinbaseIsTheSamples() throws IOException {
        for (String name : List.of("ctv-direct-mode", "two-miners")) { // with a decision in the bundle, and without one
            AuditBundle bundle = vector(name);
            disk.put("body.json", bundle);
            String sha256 = bundle.sha256Hex();
            ObjectNode expected = (ObjectNode) sample("settlement-artifacts-direct-coinbase");
            expected.put("audit_bundle_sha256", sha256).put("payout_manifest_sha256", "8c".repeat(32));
            ((ObjectNode) expected.get("artifact_links").get(0))
                    .put("sha256", sha256)
                    .put("url", "/public/v1/artifacts/" + sha256);

            assertThat(settlement(withoutSet(sha256))).isEqualTo(expected);
        }
    }

    @Test
    void aSettlementThatNothingProvesIsUnknown() {
        AuditBundle hybrid = vector("ctv-hybrid");
        unknown(Optional.empty());
        unknown(Optional.of(withoutSet(BUNDLE))); // unreadable
        disk.put("body.json", vector("two-miners"));
        unknown(Optional.of(withoutSet(BUNDLE))); // another digest
        disk.put("body.json", hybrid);
        unknown(Optional.of(withoutSet(hybrid.sha256Hex()))); // not settled by the coinbase
        unknown(Optional.of(
                new BlockSettlement(block(BLOCK, 1, "22".repeat(32)), Optional.empty(), Optional.empty(), List.of())));
    }

    private void unknown(Optional<BlockSettlement> settlement) {
        when(settlements.ofBlock(any(), any())).thenReturn(settlement);
        assertThatThrownBy(() -> documents.settlementArtifacts(BLOCK, soon()))
                .isInstanceOf(NotFoundException.class)
                .hasMessage("unknown PRISM settlement artifact block");
    }

    private byte[] artifact(String sha256, PublicArtifact artifact) {
        when(settlements.artifact(eq(sha256), any())).thenReturn(Optional.of(artifact));
        return documents.artifact(sha256, soon()).bytes();
    }

    private static String sha256(byte[] bytes) {
        return Hashing.sha256().hashBytes(bytes).toString();
    }

    @Test
    void anArtifactIsItsOwnBytes() {
        AuditBundle bundle = vector("two-miners");
        disk.put("body.json", bundle);
        byte[] text = "{\"schema\":\"x\",\"ä\":1}".getBytes(StandardCharsets.UTF_8);
        String json = new String(text, StandardCharsets.UTF_8);

        byte[] served = artifact(bundle.sha256Hex(), new PublicArtifact.Bundle(BLOCK, row(bundle.sha256Hex())));
        assertThat(sha256(served)).isEqualTo(bundle.sha256Hex());
        assertThat(artifact(sha256(text), new PublicArtifact.ManifestSet(json))).isEqualTo(text);
        assertThat(artifact(sha256(text), new PublicArtifact.Manifest(json))).isEqualTo(text);
    }

    @Test
    void unverifiedBytesAreNeverServedNorIsTheirPlaceTold() {
        disk.put("body.json", vector("two-miners"));
        withheld(new PublicArtifact.Bundle(BLOCK, row(BUNDLE)));
        disk.clear();
        withheld(new PublicArtifact.Bundle(BLOCK, row(BUNDLE)));
        withheld(new PublicArtifact.Bundle(BLOCK, row(SET)));
        withheld(new PublicArtifact.ManifestSet("{}"));
        withheld(new PublicArtifact.Manifest("{}"));
    }

    private void withheld(PublicArtifact artifact) {
        assertThatThrownBy(() -> artifact(BUNDLE, artifact))
                .isInstanceOf(UnverifiedArtifactException.class)
                .hasMessageNotContaining("secret");
    }

    @Test
    void whatHasNoDigestOfItsBytesIsNoArtifact() {
        assertThatThrownBy(() -> artifact(FANOUT, new PublicArtifact.FanoutTransaction("0200")))
                .isInstanceOf(NotFoundException.class)
                .hasMessage("unknown public PRISM artifact");
        when(settlements.artifact(any(), any())).thenReturn(Optional.empty());
        assertThatThrownBy(() -> documents.artifact(BUNDLE, soon()))
                .isInstanceOf(NotFoundException.class)
                .hasMessage("unknown public PRISM artifact");
    }

    @Test
    void oneBundleIsReadAtATimeAndNobodyWaitsBeyondItsDeadline() throws Exception {
        AuditBundle bundle = vector("two-miners");
        AuditBundleRow row = row(bundle.sha256Hex());
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        VerifiedArtifacts artifacts = new VerifiedArtifacts(body -> {
            reading.countDown();
            assertThat(Uninterruptibles.awaitUninterruptibly(go, 30, TimeUnit.SECONDS))
                    .isTrue();
            return bundle;
        });
        ExecutorService request = Executors.newSingleThreadExecutor();
        try {
            Future<AuditBundle> first = request.submit(() -> artifacts.bundle(row, soon()));
            assertThat(reading.await(30, TimeUnit.SECONDS)).isTrue();

            Deadline impatient = Deadline.after(Duration.ofMillis(1), MonotonicClock.system(), "impatient");
            assertThatThrownBy(() -> artifacts.bundle(row, impatient)).isInstanceOf(DeadlineExceededException.class);

            go.countDown();
            assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(bundle);
            assertThat(artifacts.bundle(row, soon())).isEqualTo(bundle);
        } finally {
            go.countDown();
            request.shutdownNow();
            assertThat(request.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}

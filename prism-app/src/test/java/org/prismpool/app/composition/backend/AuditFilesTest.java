package org.prismpool.app.composition.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditStore;
import org.prismpool.payout.audit.AuditStoreConfig;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.audit.StoredArtifact;
import org.prismpool.payout.finalization.BlockEvidence;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.AuditRow;
import org.prismpool.sharewriter.block.AuditRows;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.block.PoolBlocks;
import org.prismpool.sharewriter.fanout.FanoutRows;
import org.prismpool.templates.chain.Hash256;

class AuditFilesTest {

    private static final SigningSeed POOL = SigningSeed.ofHex("42".repeat(32));
    private static final SigningSeed LEDGER = SigningSeed.ofHex("43".repeat(32));
    private static final Hash256 BLOCK = Hash256.ofDisplayHex("ab".repeat(32));
    private static final long SEQUENCE = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private final Ledger ledger = mock(Ledger.class);
    private final AuditRows audits = mock(AuditRows.class);
    private AuditBundle bundle;

    @BeforeEach
    void confirmABlock() {
        WindowShare share = new WindowShare(
                1,
                "share-1",
                new PayoutIdentity("miner", "miner", "11".repeat(32)),
                U128.ofUnsigned(10),
                U128.ONE,
                69,
                "job",
                1000,
                1000,
                1_800_000_000,
                Optional.empty());
        bundle = new AuditBundleBuilder(POOL, LEDGER)
                .build(new AuditBuildInput(
                        List.of(share), BlockTerms.of(new FoundBlock(70, 500_000_000, U128.ONE, 1000))));
        AuditStoreConfig config = new AuditStoreConfig(folder, folder.resolve("evidence.json"), 100, 5, Duration.ZERO);
        try (AuditStore store = AuditStore.open(config, (first, last) -> List.of(), Clock.systemUTC())) {
            StoredArtifact stored = store.storeBody(BLOCK.displayHex(), bundle);
            when(audits.find(anyString(), any())).thenReturn(Optional.of(row(stored, bundle.sha256Hex())));
        }
        PoolBlocks blocks = mock(PoolBlocks.class);
        when(blocks.publicationFloor(any())).thenReturn(SEQUENCE);
        FanoutRows fanouts = mock(FanoutRows.class);
        when(fanouts.ofBlock(anyString(), any())).thenReturn(List.of());
        when(ledger.audits()).thenReturn(audits);
        when(ledger.blocks()).thenReturn(blocks);
        when(ledger.fanouts()).thenReturn(fanouts);
        when(ledger.backend()).thenReturn("memory");
    }

    private AuditRow row(StoredArtifact stored, String sha256) {
        PoolBlock block = new PoolBlock(
                BLOCK.displayHex(),
                70,
                "00".repeat(32),
                bundle.signedCoinbaseManifest().manifest().coinbaseTxid(),
                "00".repeat(32),
                1000,
                ChainState.CONFIRMED,
                MaturityState.IMMATURE,
                OptionalLong.of(SEQUENCE));
        AuditBundleRow row = new AuditBundleRow(
                new AuditBundleRow.External(stored.bodyUri(), stored.byteLength()),
                sha256,
                bundle.signedCoinbaseManifest().manifest().coinbaseTxHex(),
                bundle.schema(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new AuditRow(block, row, 1000);
    }

    /** What a start does for the newest confirmed block, in a process of its own. */
    private void startAndRepublish() throws Exception {
        ConfigReport report = PrismConfiguration.loader()
                .load(Map.of(
                        "QBIT_RPC_HOST", "127.0.0.1",
                        "QBIT_RPC_PORT", "1",
                        "QBIT_RPC_USER", "user",
                        "QBIT_RPC_PASSWORD", "password",
                        "PRISM_AUDIT_DIR", folder.toString(),
                        "PRISM_EVIDENCE_PATH", folder.resolve("evidence.json").toString(),
                        "PRISM_AUDIT_SHARE_SEGMENT_SIZE", "100",
                        "PRISM_ALLOW_TEST_SIGNING_SEEDS", "1",
                        "PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY", "1",
                        "PRISM_ALLOW_MEMORY_LEDGER", "1"));
        assertThat(report.ok()).as(report.render()).isTrue();
        try (AuditFiles files =
                AuditFiles.open(report.environment(), ledger, LEDGER.publicKeyHex(), MonotonicClock.system())) {
            files.republish(
                    BLOCK,
                    SEQUENCE,
                    new BlockEvidence.ShareCounts(1, 1),
                    Deadline.after(Duration.ofMinutes(1), MonotonicClock.system(), "test"));
        }
    }

    private ObjectNode evidence() throws IOException {
        return (ObjectNode) JSON.readTree(folder.resolve("evidence.json").toFile());
    }

    private void makeOld() throws IOException {
        ObjectNode old = evidence();
        old.remove("audit_publication_identity");
        old.remove("audit_verification_identity");
        Files.write(folder.resolve("evidence.json"), JSON.writeValueAsBytes(old));
    }

    @Test
    void evidenceOfAnOlderReleaseIsProvedAtTheStartAndKept() throws Exception {
        startAndRepublish();
        makeOld();
        ObjectNode old = evidence();

        startAndRepublish();

        assertThat(evidence()).isEqualTo(old);
    }

    @Test
    void evidenceOfAnOlderReleaseThatTheLedgerContradictsIsReplaced() throws Exception {
        startAndRepublish();
        makeOld();
        ObjectNode old = evidence();
        ((ObjectNode) old.get("persistence")).put("audit_bundle_sha256", "00".repeat(32));
        Files.write(folder.resolve("evidence.json"), JSON.writeValueAsBytes(old));

        startAndRepublish();

        assertThat(evidence().at("/audit_publication_identity/sequence").asLong())
                .isEqualTo(SEQUENCE);
        assertThat(evidence().at("/persistence/audit_bundle_sha256").asText()).isEqualTo(bundle.sha256Hex());
    }
}

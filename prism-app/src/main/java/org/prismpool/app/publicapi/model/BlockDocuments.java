package org.prismpool.app.publicapi.model;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.publicapi.BlockModels;
import org.prismpool.app.publicapi.NotFoundException;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.model.formula.Decimals;
import org.prismpool.app.publicapi.model.formula.RewardShare;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.ctv.SettlementMode;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.read.BlockSettlement;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.PublicArtifact;
import org.prismpool.sharewriter.read.PublicFanout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pages about blocks, their settlement and its artifacts. Thread-safe; blocks on ledger and disk. Source: spec 08 §7.7. */
public final class BlockDocuments implements BlockModels {

    private static final Logger LOG = LoggerFactory.getLogger(BlockDocuments.class);
    private static final Duration REPORT_PAUSE = Duration.ofSeconds(10);
    private static final String NO_BITS = "00000000";

    private final PublicLedger ledger;
    private final VerifiedArtifacts artifacts;
    private final ExplorerLinks explorer;
    private final Clock clock;
    private final AtomicLong nextReportMs = new AtomicLong(Long.MIN_VALUE);

    /**
     * Creates the pages.
     *
     * @param ledger ledger
     * @param bodies audit files
     * @param explorer links to a block explorer
     * @param clock wall clock of {@code generated_at}
     */
    public BlockDocuments(PublicLedger ledger, BundleBodies bodies, ExplorerLinks explorer, Clock clock) {
        this.ledger = ledger;
        this.artifacts = new VerifiedArtifacts(bodies);
        this.explorer = explorer;
        this.clock = clock;
    }

    @Override
    public PublicBody blocks(Page page, Deadline deadline) {
        Instant now = clock.instant();
        Paged<FoundBlock> blocks = ledger.blocks().page(Rates.request(page), deadline);
        return Members.ofDocument("blocks.v1", now)
                .with("pagination", page.pagination(blocks.totalCount()))
                .with("rows", blocks.rows().stream().map(this::row).toList())
                .body();
    }

    private Map<String, @Nullable Object> row(FoundBlock block) {
        return new Members()
                .with("height", block.height())
                .with("hash", block.blockHash())
                .time("found_at", block.foundAt())
                .with(
                        "network_difficulty",
                        block.networkDifficulty()
                                .or(() -> block.solver().map(FoundBlock.Solver::networkDifficulty))
                                .map(Decimals::text)
                                .orElse("0"))
                .with("bits", block.bits().orElse(NO_BITS))
                .with(
                        "solver_recipient_id",
                        block.solver().map(FoundBlock.Solver::recipientId).orElse(""))
                .orNull("solver_worker_name", block.solver().flatMap(FoundBlock.Solver::workerName))
                .orNull(
                        "solver_share_difficulty",
                        block.solver().map(FoundBlock.Solver::shareDifficulty).map(Decimals::text))
                .orNull(
                        "reward_window_weight",
                        block.networkDifficulty().map(RewardShare::windowWeight).map(Decimals::text))
                .with("coinbase_value_bits", block.coinbaseValueSats().orElse(0))
                .orNull("audit_bundle_sha256", block.auditBundleSha256())
                .with("payout_manifest_sha256", block.payoutManifestSha256())
                .orNull("explorer_url", explorer.block(block.blockHash()))
                .map();
    }

    @Override
    public PublicBody settlementArtifacts(String blockHash, Deadline deadline) {
        Instant now = clock.instant();
        BlockSettlement settlement =
                ledger.settlements().ofBlock(blockHash, deadline).orElseThrow(BlockDocuments::unknownBlock);
        Optional<AuditBundle> bundle = settlement.bundle().flatMap(row -> readable(row, deadline));
        Optional<BlockSettlement.ManifestSet> set = settlement.manifestSet();
        String mode = set.map(BlockSettlement.ManifestSet::settlementMode)
                .or(() -> bundle.filter(BlockDocuments::paysDirectly)
                        .map(direct -> SettlementMode.DIRECT_COINBASE.text()))
                .orElseThrow(BlockDocuments::unknownBlock);
        List<Map<String, @Nullable Object>> links = new ArrayList<>();
        bundle.flatMap(readable -> settlement.bundle())
                .ifPresent(row -> links.add(ArtifactLinks.link("audit_bundle", row.sha256(), Optional.empty())));
        set.ifPresent(found ->
                links.add(ArtifactLinks.link("ctv_manifest_set", found.sha256(), Optional.of(found.byteLength()))));
        return Members.ofDocument("settlement-artifacts.v1", now)
                .with("block_hash", settlement.block().blockHash())
                .with("block_height", settlement.block().height())
                .with("settlement_mode", mode)
                .orNull("audit_bundle_sha256", settlement.bundle().map(AuditBundleRow::sha256))
                .with("payout_manifest_sha256", settlement.block().payoutManifestSha256())
                .with("artifact_links", links)
                .with("fanouts", settlement.fanouts().stream().map(this::fanout).toList())
                .body();
    }

    private static NotFoundException unknownBlock() {
        return new NotFoundException("unknown PRISM settlement artifact block");
    }

    /** A bundle that is damaged has no link. */
    private Optional<AuditBundle> readable(AuditBundleRow row, Deadline deadline) {
        try {
            return Optional.of(artifacts.bundle(row, deadline));
        } catch (UnverifiedArtifactException withheld) {
            report(withheld);
            return Optional.empty();
        }
    }

    /** At most once in ten seconds: anybody can ask for a block whose bundle is damaged. */
    private void report(UnverifiedArtifactException withheld) {
        long now = clock.millis();
        long next = nextReportMs.get();
        if (now >= next && nextReportMs.compareAndSet(next, now + REPORT_PAUSE.toMillis())) {
            LOG.atError().setCause(withheld).log("public audit bundle withheld");
        }
    }

    /** A pool without covenants writes no decision into its bundles: all are paid by the coinbase. */
    private static boolean paysDirectly(AuditBundle bundle) {
        return bundle.settlementModeDecision()
                .map(decision -> decision.mode() == SettlementMode.DIRECT_COINBASE)
                .orElse(bundle.ctvFanoutManifestSet().isEmpty());
    }

    @Override
    public PublicBody artifact(String sha256, Deadline deadline) {
        // A transaction's id is not the digest of its bytes, so it is no artifact; /fanouts/{txid} shows the
        // transaction.
        PublicArtifact artifact = ledger.settlements()
                .artifact(sha256, deadline)
                .filter(found -> !(found instanceof PublicArtifact.FanoutTransaction))
                .orElseThrow(() -> new NotFoundException("unknown public PRISM artifact"));
        return new PublicBody(artifacts.bytes(artifact, sha256, deadline));
    }

    @Override
    public PublicBody pendingFanouts(Page page, Deadline deadline) {
        Instant now = clock.instant();
        Paged<PublicFanout> pending = ledger.settlements().pendingFanouts(Rates.request(page), deadline);
        return Members.ofDocument("pending-fanouts.v1", now)
                .with("pagination", page.pagination(pending.totalCount()))
                .with("rows", pending.rows().stream().map(this::fanout).toList())
                .body();
    }

    @Override
    public PublicBody fanout(String txid, Deadline deadline) {
        Instant now = clock.instant();
        PublicFanout fanout = ledger.settlements()
                .fanout(txid, deadline)
                .orElseThrow(() -> new NotFoundException("unknown PRISM CTV fanout"));
        return Members.ofDocument("fanout.v1", now)
                .with("fanout", fanout(fanout))
                .body();
    }

    private Map<String, @Nullable Object> fanout(PublicFanout fanout) {
        return FanoutShape.of(fanout, explorer);
    }
}

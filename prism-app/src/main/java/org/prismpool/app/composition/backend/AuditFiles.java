package org.prismpool.app.composition.backend;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.endpoint.AuditTrailSource;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.HttpVariables;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditArtifact;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditStore;
import org.prismpool.payout.audit.AuditStoreConfig;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.audit.ConfirmedBlock;
import org.prismpool.payout.audit.MissingShares;
import org.prismpool.payout.audit.PublicationRequest;
import org.prismpool.payout.audit.StoredArtifact;
import org.prismpool.payout.audit.VerificationIdentity;
import org.prismpool.payout.audit.VerificationReport;
import org.prismpool.payout.finalization.AuditDocument;
import org.prismpool.payout.finalization.AuditTrail;
import org.prismpool.payout.finalization.BlockEvidence;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.payout.finalization.StoredBody;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.AuditRow;
import org.prismpool.sharewriter.fanout.FanoutRow;
import org.prismpool.templates.chain.Hash256;

/** Stores and publishes what lets anyone recompute a payout, at the ordinals of the ledger. */
public final class AuditFiles implements AuditTrail, AuditTrailSource, AutoCloseable {

    private final AuditStore store;
    private final AuditStoreConfig config;
    private final Ledger ledger;
    private final Optional<String> trustedKeyHex;
    private final String ownKeyHex;
    private final Clock clock;

    private AuditFiles(
            AuditStore store,
            AuditStoreConfig config,
            Ledger ledger,
            Optional<String> trustedKeyHex,
            String ownKeyHex,
            Clock clock) {
        this.store = store;
        this.config = config;
        this.ledger = ledger;
        this.trustedKeyHex = trustedKeyHex;
        this.ownKeyHex = ownKeyHex;
        this.clock = clock;
    }

    /**
     * Opens the configured folders.
     *
     * @param e valid environment
     * @param ledger source of ordinals, and of shares that a file lacks
     * @param ownKeyHex key that signs window attestations, believed when none is pinned
     * @param clock of the limits of ledger reads
     * @throws StartFailure if a folder cannot be made or opened
     */
    public static AuditFiles open(Environment e, Ledger ledger, String ownKeyHex, MonotonicClock clock)
            throws StartFailure {
        AuditStoreConfig config = new AuditStoreConfig(
                Path.of(e.get(HttpVariables.AUDIT_DIR)).toAbsolutePath(),
                Path.of(e.get(HttpVariables.EVIDENCE_PATH)).toAbsolutePath(),
                e.get(HttpVariables.AUDIT_SHARE_SEGMENT_SIZE),
                e.get(HttpVariables.AUDIT_LIVE_BUNDLE_RETENTION),
                Duration.ofSeconds(e.get(HttpVariables.AUDIT_CANDIDATE_RETENTION_SECONDS)));
        MissingShares missing = LedgerWindows.missing(
                ledger.windows(), e.get(LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS), clock);
        try {
            AuditStore store = AuditStore.open(config, missing, Clock.systemUTC());
            return new AuditFiles(
                    store,
                    config,
                    ledger,
                    e.find(LedgerVariables.LEDGER_WRITER_PUBLIC_KEY_HEX),
                    ownKeyHex,
                    Clock.systemUTC());
        } catch (UncheckedIOException failed) {
            throw new StartFailure(failed.getMessage() + "; check PRISM_AUDIT_DIR and PRISM_EVIDENCE_PATH", failed);
        }
    }

    @Override
    public StoredBody store(CandidateIntent intent, AuditDocument document, Deadline deadline) {
        AuditStore.VerifiedArtifact written =
                store.storeVerified(intent.solution().hash().displayHex(), document.bundle(), verifier());
        if (!written.report().equals(document.report())) {
            throw new IllegalStateException("the audit bundle on the disk is not the one that was verified");
        }
        StoredArtifact stored = written.stored();
        deadline.check("audit-body");
        return new StoredBody(Optional.of(stored.bodyUri()), stored.byteLength());
    }

    @Override
    public void publish(BlockEvidence evidence, Deadline deadline) {
        publish(
                evidence.intent().solution().hash(),
                evidence.publicationSequence(),
                evidence.document(),
                evidence.storedBody(),
                evidence.counts(),
                deadline);
    }

    /** Ordinal of the block that the evidence shows, 0 without any. */
    public long publishedSequence() {
        return store.publishedSequence().orElse(0);
    }

    /**
     * Publishes a block from the body that was stored when it landed first. Evidence that an older release wrote for it is
     * proved against the ledger instead and kept.
     *
     * @param hash the block
     * @param sequence its ordinal
     * @param counts aggregate numbers of now
     * @param deadline latest end
     */
    public void republish(Hash256 hash, long sequence, BlockEvidence.ShareCounts counts, Deadline deadline) {
        AuditRow row = ledger.audits()
                .find(hash.displayHex(), deadline)
                .orElseThrow(() -> new IllegalStateException("no audit bundle of block " + hash.displayHex()));
        if (!(row.bundle().body() instanceof AuditBundleRow.External file)) {
            return; // written by another implementation, whose body is inside the row
        }
        ConfirmedBlock confirmed = new ConfirmedBlock(
                sequence, row.block().height(), hash.displayHex(), row.bundle().sha256(), file.uri());
        if (store.proveLegacyEvidence(confirmed, () -> ledger.blocks().publicationFloor(deadline))) {
            return; // an older release published this very block, and its evidence stays as it was written
        }
        AuditBundle bundle = store.load(file.uri());
        VerificationReport report = verifier().verify(bundle);
        deadline.check("audit-republication");
        publish(
                hash,
                sequence,
                new AuditDocument(bundle, report),
                new StoredBody(Optional.of(file.uri()), file.byteLength()),
                counts,
                deadline);
    }

    private void publish(
            Hash256 hash,
            long sequence,
            AuditDocument document,
            StoredBody stored,
            BlockEvidence.ShareCounts counts,
            Deadline deadline) {
        String uri = stored.uri().orElseThrow(() -> new IllegalStateException("an audit body has a location"));
        StoredArtifact body = new StoredArtifact(
                uri,
                Objects.toString(Path.of(uri).getFileName()),
                document.sha256Hex(),
                document.bundle().schema(),
                stored.byteLength(),
                document.bundle().shares().size());
        Map<String, @Nullable Object> annotations = new HashMap<>();
        annotations.put("ledger_backend", ledger.backend());
        annotations.put("job_share_count", document.bundle().shares().size());
        annotations.put("confirmation", Map.of("publication_sequence", sequence));
        annotations.put("ctv_persistence", fanouts(hash, deadline));
        annotations.put("accepted_share_count", counts.acceptedShares());
        annotations.put("distinct_miner_count", counts.distinctMiners());
        PublicationRequest request = new PublicationRequest(
                sequence,
                hash.displayHex(),
                body,
                verification(document),
                document.report().coinbaseManifestSha256Hex(),
                annotations,
                clock.instant());
        store.publish(request, () -> ledger.blocks().publicationFloor(deadline));
    }

    private AuditVerifier verifier() {
        return new AuditVerifier(trustedKeyHex.orElse(ownKeyHex));
    }

    private VerificationIdentity verification(AuditDocument document) {
        return new VerificationIdentity(
                trustedKeyHex.isPresent() ? VerificationIdentity.CONFIGURED : VerificationIdentity.EMBEDDED_TEST_ONLY,
                trustedKeyHex.orElse(ownKeyHex),
                document.sha256Hex(),
                document.bundle().canonicalBytes().length,
                document.report());
    }

    /** What the ledger holds of the block's settlement transactions; null without any. */
    private @Nullable Map<String, Object> fanouts(Hash256 hash, Deadline deadline) {
        List<FanoutRow> rows = ledger.fanouts().ofBlock(hash.displayHex(), deadline);
        return rows.isEmpty()
                ? null
                : Map.of(
                        "fanout_artifact_count",
                        rows.size(),
                        "manifest_set_sha256",
                        rows.get(0).manifestSetSha256());
    }

    @Override
    public Optional<String> evidence() throws IOException {
        try {
            return Optional.of(Files.readString(config.evidencePath()));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    @Override
    public AuditBundle bundle(AuditBundleRow.AuditBody body) {
        if (body instanceof AuditBundleRow.External file) {
            return store.load(file.uri());
        }
        String json = ((AuditBundleRow.Inline) body).json();
        return AuditArtifact.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), config.directory());
    }

    /** Measures the folder: files and bytes by kind. */
    public Map<String, AuditStore.Usage> usage() {
        return store.usage();
    }

    @Override
    public void close() {
        store.close();
    }
}

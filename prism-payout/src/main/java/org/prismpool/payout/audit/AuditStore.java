package org.prismpool.payout.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.window.PayoutRuleException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit files of a pool (payout specification 15): bodies and share segments that are kept for ever, one live envelope for
 * each recent block, and the evidence of the current one.
 *
 * <p>Everything is written durably and atomically, and every call may be repeated. Thread-safe: calls of one store follow each
 * other; what several processes store and publish follows each other through a lock file, so one process opens a folder once. Calls
 * block on the disk. Nothing needs to be started; {@link #close} releases the lock file.
 */
public final class AuditStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditStore.class);
    private static final String LOCK_NAME = ".prism-audit-publication.lock";

    private final AuditStoreConfig config;
    private final OwnedDirectory directory;
    private final OwnedDirectory evidenceDirectory;
    private final String evidenceName;
    private final SlotFiles slots;
    private final CandidateFiles candidates;
    private final Retention retention;
    private final FileChannel lockFile;
    private final ReentrantLock lock = new ReentrantLock(); // taken before the file lock
    private Optional<LegacyProof> legacy = Optional.empty(); // guarded by lock

    private AuditStore(AuditStoreConfig config, MissingShares missing, Clock clock, OwnedDirectory.StepHook hook)
            throws IOException {
        this.config = config;
        this.directory = OwnedDirectory.open(config.directory(), hook);
        Path evidence = config.evidencePath().toAbsolutePath().normalize();
        this.evidenceDirectory = OwnedDirectory.open(Objects.requireNonNull(evidence.getParent()), hook);
        this.evidenceName = Objects.toString(evidence.getFileName());
        this.slots = new SlotFiles(directory, config.shareSegmentSize(), missing, clock);
        this.candidates = new CandidateFiles(directory);
        this.retention = new Retention(directory, candidates, config, clock);
        this.lockFile = FileChannel.open(
                directory.path().resolve(LOCK_NAME),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Opens a store.
     *
     * @param config the settings
     * @param missing reads shares that a slot lacks
     * @param clock wall clock for the age of candidates
     * @return the store
     * @throws UncheckedIOException if a folder cannot be made or opened
     */
    public static AuditStore open(AuditStoreConfig config, MissingShares missing, Clock clock) {
        return open(config, missing, clock, step -> {});
    }

    static AuditStore open(AuditStoreConfig config, MissingShares missing, Clock clock, OwnedDirectory.StepHook hook) {
        try {
            return new AuditStore(config, missing, clock, hook);
        } catch (IOException e) {
            throw new UncheckedIOException("audit store can't be opened at " + config.directory(), e);
        }
    }

    /**
     * Verifies a bundle as an outsider would, from the bytes on the disk, and stores its body if it holds. Takes as long as a
     * verification, during which other calls go on.
     *
     * @param blockHash the block, display order, lower-case hexadecimal text
     * @param bundle the bundle
     * @param verifier the verifier, which knows the ledger's key
     * @return where it is and what was verified
     * @throws PayoutRuleException with the contract text of the first check that fails, or if the bytes changed meanwhile
     * @throws UncheckedIOException if it cannot be made durable, or another body has its name
     */
    public VerifiedArtifact storeVerified(String blockHash, AuditBundle bundle, AuditVerifier verifier) {
        VerificationReport report;
        try {
            report = candidates.verify(blockHash, bundle, verifier);
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
        StoredArtifact stored = storeBody(blockHash, bundle);
        if (!stored.auditBundleSha256().equals(report.auditBundleSha256Hex())) {
            throw new PayoutRuleException("candidate changed during verification");
        }
        return new VerifiedArtifact(stored, report);
    }

    /**
     * A stored body and what its bundle was found to be.
     *
     * @param stored the body
     * @param report the report
     */
    public record VerifiedArtifact(StoredArtifact stored, VerificationReport report) {}

    /**
     * Stores the body of a bundle: compact if its shares are contiguous rows of the ledger, whole
     * otherwise.
     *
     * @param blockHash the block, display order, lower-case hexadecimal text
     * @param bundle the bundle
     * @return where it is
     * @throws UncheckedIOException if it cannot be made durable, or another body has its name
     */
    public StoredArtifact storeBody(String blockHash, AuditBundle bundle) {
        return exclusively(
                () -> { // a slot is read, merged and replaced: two processes must not do that at once
                    String digest = bundle.sha256Hex();
                    String name = ArtifactName.body(blockHash, digest);
                    Optional<byte[]> existing = directory.read(name);
                    byte[] bytes;
                    if (existing.isPresent() && resolve(name).sha256Hex().equals(digest)) {
                        bytes = existing.get();
                        directory.sync();
                    } else {
                        bytes = bodyBytes(blockHash, digest, bundle);
                        directory.writeImmutable(name, bytes);
                    }
                    return new StoredArtifact(
                            directory.path().resolve(name).toString(),
                            name,
                            digest,
                            bundle.schema(),
                            bytes.length,
                            bundle.shares().size());
                });
    }

    private byte[] bodyBytes(String blockHash, String digest, AuditBundle bundle) throws IOException {
        // In a slot the collection share would take the place of the ledger's first one.
        if (config.shareSegmentSize() == 0 || bundle.collects() || !SlotFiles.isContiguous(bundle.shares())) {
            return bundle.canonicalBytes();
        }
        List<SharePart> parts = slots.store(bundle.shares());
        CompactBody.Storage storage = new CompactBody.Storage(blockHash, digest, config.shareSegmentSize(), parts);
        return CanonicalWriter.bytesOf(out -> CompactBody.write(out, bundle, storage));
    }

    /**
     * Reads a body back from the disk, whatever form it has.
     *
     * @param bodyUri an absolute path in the store's folder, or a bare file name
     * @return the bundle, every statement of a compact form checked
     * @throws PayoutRuleException if the reference leaves the store or is not one of its files, or the body contradicts itself
     * @throws UncheckedIOException if it cannot be read
     */
    public AuditBundle load(String bodyUri) {
        return guarded(() -> resolve(ownedName(bodyUri)));
    }

    private AuditBundle resolve(String name) throws IOException {
        if (directory.stamp(name).filter(OwnedDirectory.Stamp::regular).isEmpty()) {
            throw new PayoutRuleException("failed to read audit artifact: No such file or directory (os error 2)");
        }
        return AuditArtifact.read(directory.path().resolve(name));
    }

    private String ownedName(String bodyUri) {
        Path given = Path.of(bodyUri);
        String name = Objects.toString(given.getFileName(), "");
        boolean inside = given.isAbsolute()
                ? given.normalize().equals(given) && directory.path().equals(given.getParent())
                : given.getNameCount() == 1;
        if (!inside) {
            throw new PayoutRuleException("audit bundle body path escapes audit body store: " + bodyUri);
        }
        ArtifactName.Kind kind = ArtifactName.of(name).kind();
        if (kind != ArtifactName.Kind.BODY && kind != ArtifactName.Kind.SHARE_SEGMENT) {
            throw new PayoutRuleException("audit bundle body path is not owned: " + bodyUri);
        }
        return name;
    }

    /**
     * Publishes a confirmed block at its ordinal; the ordinal alone decides which block is current.
     *
     * @param request what is published
     * @param floor reads the highest ordinal of the ledger inside the guard
     * @return what became of it
     * @throws PayoutRuleException if the ordinal is not in the ledger, belongs to another block, or was published with other
     *     content
     * @throws UncheckedIOException if it cannot be made durable; the files are as before
     */
    public Publication publish(PublicationRequest request, PublicationFloor floor) {
        return exclusively(() -> {
            Publication outcome = publishGuarded(request, floor.highestSequence());
            if (outcome == Publication.PUBLISHED) {
                retention.prune(envelopeName(request));
            }
            return outcome;
        });
    }

    /**
     * Gives evidence that an older release wrote the authority of its block, if the ledger confirms every fact of it and its
     * body is there. Only memory changes; without this the evidence grants no order, and the next publication replaces it.
     *
     * @param block the ledger's row of the highest ordinal
     * @param floor reads the highest ordinal of the ledger inside the guard
     * @return whether the evidence is proved; false also if it needs no proof
     * @throws UncheckedIOException if it cannot be read
     */
    public boolean proveLegacyEvidence(ConfirmedBlock block, PublicationFloor floor) {
        return exclusively(() -> {
            Optional<byte[]> file = evidenceDirectory.read(evidenceName);
            if (file.isEmpty()) {
                return false;
            }
            Optional<LegacyProof> proof =
                    LegacyProof.of(LiveDocuments.read(file), file.get(), block, floor.highestSequence());
            if (proof.isPresent()
                    && !resolve(ownedName(block.bodyUri())).sha256Hex().equals(block.auditBundleSha256())) {
                return false;
            }
            legacy = proof;
            return proof.isPresent();
        });
    }

    private Publication publishGuarded(PublicationRequest request, long floor) throws IOException {
        if (request.sequence() > floor) {
            throw new PayoutRuleException("audit publication sequence exceeds the durable ledger floor");
        }
        Optional<byte[]> file = evidenceDirectory.read(evidenceName);
        LiveDocuments.Evidence current = LiveDocuments.read(file);
        Optional<ConfirmedBlock> proved = file.flatMap(
                bytes -> legacy.filter(proof -> proof.covers(bytes)).map(LegacyProof::block));
        if (proved.filter(block -> block.sequence() == request.sequence()).isPresent()) {
            if (!proved.get().blockHash().equals(request.blockHash())) {
                throw new PayoutRuleException("audit publication identity conflict");
            }
            return Publication.REPLAYED; // old evidence of this very block: it stays as it was written
        }
        String envelopeName = envelopeName(request);
        LiveDocuments.Pair documents =
                LiveDocuments.of(request, directory.path().resolve(envelopeName).toString());
        boolean valid = current.state() == LiveDocuments.Evidence.State.VALID;
        if (valid && current.sequence() == request.sequence()) {
            if (!current.blockHash().equals(request.blockHash())) {
                throw new PayoutRuleException("audit publication identity conflict");
            }
            return replay(request, floor, current, documents);
        }
        if (request.sequence() < floor || (valid && current.sequence() > request.sequence())) {
            writeSupersededEnvelope(envelopeName, documents.envelope());
            return Publication.SUPERSEDED;
        }
        write(envelopeName, documents);
        return Publication.PUBLISHED;
    }

    private Publication replay(
            PublicationRequest request, long floor, LiveDocuments.Evidence current, LiveDocuments.Pair documents)
            throws IOException {
        if (!LiveDocuments.sameEvidence(current.members(), documents.evidence())) {
            throw new PayoutRuleException("exact audit publication replay payload conflict");
        }
        String envelopeName = envelopeName(request);
        Optional<byte[]> envelope = directory.read(envelopeName);
        if (envelope.isEmpty()) {
            if (request.sequence() != floor) {
                throw new PayoutRuleException("audit publication is behind the durable ledger floor");
            }
            directory.replace(envelopeName, documents.envelope());
        } else if (!LiveDocuments.sameEnvelope(envelope.get(), documents.envelope())) {
            throw new PayoutRuleException("existing live audit envelope conflicts");
        }
        directory.sync();
        evidenceDirectory.sync();
        return Publication.REPLAYED;
    }

    // Two blocks may land between confirmation and publication: the earlier one still gets its envelope.
    private void writeSupersededEnvelope(String name, byte[] envelope) throws IOException {
        Optional<byte[]> existing = directory.read(name);
        if (existing.isEmpty()) {
            directory.replace(name, envelope);
        } else if (!LiveDocuments.sameEnvelope(existing.get(), envelope)) {
            throw new PayoutRuleException("existing live audit envelope conflicts");
        }
    }

    private void write(String envelopeName, LiveDocuments.Pair documents) throws IOException {
        Optional<byte[]> envelopeBefore = directory.read(envelopeName);
        Optional<byte[]> evidenceBefore = evidenceDirectory.read(evidenceName);
        if (envelopeBefore.isPresent() && !LiveDocuments.sameEnvelope(envelopeBefore.get(), documents.envelope())) {
            throw new PayoutRuleException("existing live audit envelope conflicts");
        }
        byte[] envelope = envelopeBefore.orElse(documents.envelope());
        try {
            if (envelopeBefore.isEmpty()) {
                directory.replace(envelopeName, envelope);
            }
            evidenceDirectory.replace(evidenceName, documents.evidence());
        } catch (IOException e) {
            restore(envelopeName, envelopeBefore, envelope, evidenceBefore, documents.evidence(), e);
            throw e;
        }
    }

    private void restore(
            String envelopeName,
            Optional<byte[]> envelopeBefore,
            byte[] envelope,
            Optional<byte[]> evidenceBefore,
            byte[] evidence,
            IOException cause) {
        try {
            evidenceDirectory.restore(evidenceName, evidenceBefore, evidence);
            if (envelopeBefore.isEmpty()) {
                directory.restore(envelopeName, envelopeBefore, envelope);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * Returns the ordinal of the block that the evidence shows now.
     *
     * @return the ordinal, empty if there is no evidence or it can't be understood
     * @throws UncheckedIOException if it cannot be read
     */
    public OptionalLong publishedSequence() {
        return guarded(() -> {
            LiveDocuments.Evidence current = LiveDocuments.read(evidenceDirectory.read(evidenceName));
            return current.state() == LiveDocuments.Evidence.State.VALID
                    ? OptionalLong.of(current.sequence())
                    : OptionalLong.empty();
        });
    }

    private static String envelopeName(PublicationRequest request) {
        return ArtifactName.envelope(request.height(), request.blockHash());
    }

    /**
     * Files and bytes of one kind.
     *
     * @param files number of files
     * @param bytes their total size
     */
    public record Usage(long files, long bytes) {}

    /**
     * Measures the store.
     *
     * @return files and bytes by kind: {@code body}, {@code share_segment}, {@code live_bundle}, {@code candidate}, {@code
     *     other}; the lock file is not counted
     * @throws UncheckedIOException if the folder cannot be read
     */
    public Map<String, Usage> usage() {
        try {
            Map<ArtifactName.Kind, Usage> usage = new EnumMap<>(ArtifactName.Kind.class);
            Arrays.stream(ArtifactName.Kind.values()).forEach(kind -> usage.put(kind, new Usage(0, 0)));
            for (String name : directory.list()) {
                Optional<OwnedDirectory.Stamp> stamp = directory.stamp(name);
                if (!name.equals(LOCK_NAME) && stamp.isPresent()) {
                    usage.merge(
                            ArtifactName.of(name).kind(),
                            new Usage(1, stamp.get().size()),
                            (a, b) -> new Usage(a.files() + b.files(), a.bytes() + b.bytes()));
                }
            }
            Map<String, Usage> byName = new TreeMap<>();
            usage.forEach((kind, each) -> byName.put(kind.name().toLowerCase(Locale.ROOT), each));
            return byName;
        } catch (IOException e) {
            throw new UncheckedIOException("audit store can't be scanned", e);
        }
    }

    /** Releases the lock file. */
    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("audit publication lock could not be closed");
        }
    }

    /** One operation under the store's lock. */
    @FunctionalInterface
    private interface Operation<T> {
        T run() throws IOException;
    }

    /** Runs an operation that no other process may interleave with. */
    private <T> T exclusively(Operation<T> operation) {
        return guarded(() -> {
            FileLock held = lockFile.lock();
            try {
                return operation.run();
            } finally {
                held.release();
            }
        });
    }

    private <T> T guarded(Operation<T> operation) {
        lock.lock();
        try {
            return operation.run();
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        } finally {
            lock.unlock();
        }
    }
}

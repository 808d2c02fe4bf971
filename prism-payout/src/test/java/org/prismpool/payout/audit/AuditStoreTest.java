package org.prismpool.payout.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WindowShare;

class AuditStoreTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final AuditBundleBuilder BUILDER =
            new AuditBundleBuilder(SigningSeed.ofHex(Vectors.COINBASE_SEED), SigningSeed.ofHex(Vectors.LEDGER_SEED));
    private static final MissingShares NOTHING = (first, last) -> List.of();

    @TempDir
    private Path folder;

    private AuditStoreConfig config;

    @BeforeEach
    void configure() {
        config = new AuditStoreConfig(
                folder.resolve("audit"), folder.resolve("evidence/live.json"), 4, 2, Duration.ofHours(1));
    }

    @Test
    void aBodyInSlotsResolvesToTheBundleItStandsFor() {
        AuditStore store = open(NOTHING);
        AuditBundle bundle = bundle(3, 9, 100);

        StoredArtifact stored = store.storeBody(hash(1), bundle);

        assertThat(names()).contains(stored.bodyFilename());
        assertThat(names())
                .filteredOn(name -> name.contains("-slot-"))
                .containsExactlyInAnyOrder(
                        "prism-audit-share-segment-slot-1-4.json",
                        "prism-audit-share-segment-slot-5-8.json",
                        "prism-audit-share-segment-slot-9-12.json");
        assertThat(store.load(stored.bodyUri()).canonicalBytes()).isEqualTo(bundle.canonicalBytes());
        assertThat(store.load(stored.bodyFilename()).sha256Hex()).isEqualTo(stored.auditBundleSha256());
    }

    @Test
    void aSlotGrowsAndOlderBodiesStillResolve() {
        AuditStore store = open(NOTHING);
        StoredArtifact first = store.storeBody(hash(1), bundle(1, 6, 100));
        StoredArtifact second = store.storeBody(hash(2), bundle(3, 8, 101));

        assertThat(store.load(first.bodyUri()).sha256Hex()).isEqualTo(first.auditBundleSha256());
        assertThat(store.load(second.bodyUri()).sha256Hex()).isEqualTo(second.auditBundleSha256());
    }

    @Test
    void storingTheSameBodyAgainChangesNothing() throws IOException {
        AuditStore store = open(NOTHING);
        StoredArtifact first = store.storeBody(hash(1), bundle(1, 6, 100));
        List<String> before = names();

        assertThat(store.storeBody(hash(1), bundle(1, 6, 100))).isEqualTo(first);

        assertThat(names()).isEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(first.bodyUri()))))
                .isEqualTo("rw-------");
    }

    @Test
    void aHoleInASlotIsFilledFromTheLedger() {
        AuditStore store = open((first, last) -> shares(first, last));
        store.storeBody(hash(1), bundle(1, 1, 100));

        StoredArtifact stored = store.storeBody(hash(2), bundle(3, 5, 101));

        assertThat(store.load(stored.bodyUri()).sha256Hex()).isEqualTo(stored.auditBundleSha256());
        assertThat(read("prism-audit-share-segment-slot-1-4.json")
                        .get("share_count")
                        .asInt())
                .isEqualTo(4);
    }

    @Test
    void aHoleThatCannotBeFilledKeepsTheRunApartAndTheOldBodyResolves() {
        AuditStore store = open(NOTHING);
        StoredArtifact old = store.storeBody(hash(1), bundle(1, 1, 100));

        StoredArtifact stored = store.storeBody(hash(2), bundle(3, 5, 101));

        assertThat(names()).anyMatch(name -> name.matches("prism-audit-share-segment-3-4-[0-9a-f]{64}\\.json"));
        assertThat(names()).anyMatch(name -> name.startsWith("prism-audit-share-segment-slot-1-4.json.conflict-"));
        assertThat(store.load(stored.bodyUri()).sha256Hex()).isEqualTo(stored.auditBundleSha256());
        assertThat(store.load(old.bodyUri()).sha256Hex()).isEqualTo(old.auditBundleSha256());
    }

    @Test
    void sharesWithoutContiguousSequencesAreStoredWhole() {
        AuditStore store = open(NOTHING);
        List<WindowShare> gap = new ArrayList<>(shares(1, 2));
        gap.addAll(shares(4, 5));
        AuditBundle bundle = build(gap, 100);

        StoredArtifact stored = store.storeBody(hash(1), bundle);

        assertThat(Path.of(stored.bodyUri())).hasBinaryContent(bundle.canonicalBytes());
    }

    @Test
    void theShareOfACollectionBundleNeverTakesTheSlotOfARow() {
        AuditStore store = open(NOTHING);
        WindowShare row = shares(1, 1).get(0);
        WindowShare standIn = new WindowShare(
                1,
                "bootstrap-share",
                row.identity(),
                row.shareDifficulty(),
                row.networkDifficulty(),
                row.templateHeight(),
                "bootstrap-job",
                row.jobIssuedAtMs(),
                row.acceptedAtMs(),
                row.ntime(),
                Optional.empty());
        AuditBundle collection = build(List.of(standIn), 100);

        StoredArtifact stored = store.storeBody(hash(1), collection);
        store.storeBody(hash(2), bundle(1, 3, 101));

        assertThat(Path.of(stored.bodyUri())).hasBinaryContent(collection.canonicalBytes());
        assertThat(names()).noneMatch(name -> name.contains(".conflict-"));
    }

    @Test
    void aBodyPathOutsideTheStoreIsRefused() {
        AuditStore store = open(NOTHING);

        assertThatThrownBy(() -> store.load("/etc/passwd"))
                .isInstanceOf(PayoutRuleException.class)
                .hasMessageStartingWith("audit bundle body path escapes audit body store: ");
        assertThatThrownBy(() -> store.load("../x.json"))
                .hasMessageStartingWith("audit bundle body path escapes audit body store: ");
        assertThatThrownBy(() -> store.load("notes.json"))
                .hasMessage("audit bundle body path is not owned: notes.json");
    }

    @Test
    void aPublishedBlockIsNamedByItsEnvelopeAndTheEvidence() {
        AuditStore store = open(NOTHING);

        Publication outcome = store.publish(request(store, 1, 100, 5), () -> 1);

        assertThat(outcome).isEqualTo(Publication.PUBLISHED);
        JsonNode evidence = evidence();
        assertThat(evidence.at("/audit_publication_identity/sequence").asInt()).isEqualTo(1);
        Path envelope = Path.of(evidence.get("audit_bundle_path").asText());
        assertThat(envelope).isEqualTo(config.directory().resolve(ArtifactName.envelope(100, hash(100))));
        assertThat(AuditArtifact.read(envelope).sha256Hex())
                .isEqualTo(evidence.at("/persistence/audit_bundle_sha256").asText());
    }

    @Test
    void anExactReplayWithGrownCountersChangesNothing() {
        AuditStore store = open(NOTHING);
        store.publish(request(store, 1, 100, 5), () -> 1);
        JsonNode before = evidence();

        assertThat(store.publish(request(store, 1, 100, 99), () -> 1)).isEqualTo(Publication.REPLAYED);

        assertThat(evidence()).isEqualTo(before);
        assertThat(before.get("accepted_share_count").asInt()).isEqualTo(5);
    }

    @Test
    void aReplayRepairsAMissingEnvelopeOnlyAtTheFloor() throws IOException {
        AuditStore store = open(NOTHING);
        store.publish(request(store, 1, 100, 5), () -> 1);
        Path envelope = config.directory().resolve(ArtifactName.envelope(100, hash(100)));
        Files.delete(envelope);

        assertThatThrownBy(() -> store.publish(request(store, 1, 100, 5), () -> 2))
                .hasMessage("audit publication is behind the durable ledger floor");
        assertThat(store.publish(request(store, 1, 100, 5), () -> 1)).isEqualTo(Publication.REPLAYED);

        assertThat(envelope).exists();
    }

    @Test
    void twoBlocksBetweenConfirmAndPublishBothGetTheirEnvelope() {
        AuditStore store = open(NOTHING);

        assertThat(store.publish(request(store, 1, 100, 5), () -> 2)).isEqualTo(Publication.SUPERSEDED);
        assertThat(store.publish(request(store, 2, 101, 5), () -> 2)).isEqualTo(Publication.PUBLISHED);

        assertThat(names()).contains(ArtifactName.envelope(100, hash(100)), ArtifactName.envelope(101, hash(101)));
        assertThat(evidence().get("block_height").asInt()).isEqualTo(101);
    }

    @Test
    void theLaterOrdinalIsCurrentEvenForALowerBlock() {
        AuditStore store = open(NOTHING);
        store.publish(request(store, 1, 101, 5), () -> 1);

        assertThat(store.publish(request(store, 2, 100, 5), () -> 2)).isEqualTo(Publication.PUBLISHED);
        assertThat(store.publish(request(store, 1, 101, 5), () -> 2)).isEqualTo(Publication.SUPERSEDED);

        assertThat(evidence().get("block_height").asInt()).isEqualTo(100);
    }

    @Test
    void anOrdinalTheLedgerDoesNotKnowOrThatBelongsToAnotherBlockIsRefused() {
        AuditStore store = open(NOTHING);
        store.publish(request(store, 1, 100, 5), () -> 1);

        assertThatThrownBy(() -> store.publish(request(store, 2, 101, 5), () -> 1))
                .hasMessage("audit publication sequence exceeds the durable ledger floor");
        assertThatThrownBy(() -> store.publish(request(store, 1, 101, 5), () -> 1))
                .hasMessage("audit publication identity conflict");
    }

    @Test
    void malformedEvidenceIsReplacedAtTheFloor() throws IOException {
        AuditStore store = open(NOTHING);
        store.publish(request(store, 1, 100, 5), () -> 1);
        Files.writeString(config.evidencePath(), "{");

        assertThat(store.publish(request(store, 1, 100, 5), () -> 1)).isEqualTo(Publication.PUBLISHED);

        assertThat(evidence().get("block_height").asInt()).isEqualTo(100);
    }

    @Test
    void oldEvidenceGrantsNothingUntilTheLedgerProvesEveryFactOfIt() throws IOException {
        AuditStore store = open(NOTHING);
        PublicationRequest request = request(store, 3, 100, 5);
        store.publish(request, () -> 3);
        ObjectNode old = (ObjectNode) evidence();
        old.remove("audit_publication_identity");
        old.remove("audit_verification_identity");
        Files.write(config.evidencePath(), Vectors.bytes(old));
        ConfirmedBlock row = row(request, 3, hash(100));

        assertThat(store.proveLegacyEvidence(row(request, 3, hash(7)), () -> 3)).isFalse();
        assertThat(store.proveLegacyEvidence(row, () -> 4)).isFalse();
        assertThat(store.proveLegacyEvidence(row, () -> 3)).isTrue();

        assertThat(store.publish(request, () -> 3)).isEqualTo(Publication.REPLAYED);
        assertThat(evidence()).isEqualTo(old);
        assertThatThrownBy(() -> store.publish(request(store, 3, 101, 5), () -> 3))
                .hasMessage("audit publication identity conflict");
        store.close();
        AuditStore restarted = open(NOTHING); // the proof was in memory only
        assertThat(restarted.publish(request, () -> 3)).isEqualTo(Publication.PUBLISHED);
    }

    @Test
    void evidenceWithTheLegacyMarkerIsProvedLikeEvidenceWithoutOrdinal() throws IOException {
        AuditStore store = open(NOTHING);
        PublicationRequest request = request(store, 3, 100, 5);
        store.publish(request, () -> 3);
        ObjectNode old = (ObjectNode) evidence();
        ObjectNode marker = old.putObject("audit_verification_identity");
        marker.put("schema", "qbit.prism.legacy-verification-unavailable.v1");
        marker.put("reason", "evidence-predates-deterministic-verification-identity");
        marker.put("block_hash", hash(100));
        marker.put("block_height", 100);
        marker.put("audit_publication_sequence", 3);
        marker.put(
                "report_identity_sha256_hex",
                JsonTree.sortedAsciiSha256(JsonTree.parse(Vectors.bytes(old.get("audit_report")))));
        Files.write(config.evidencePath(), Vectors.bytes(old));

        assertThat(store.proveLegacyEvidence(row(request, 3, hash(100)), () -> 3))
                .isTrue();
        assertThat(store.publish(request, () -> 3)).isEqualTo(Publication.REPLAYED);

        marker.put("report_identity_sha256_hex", hash(1));
        Files.write(config.evidencePath(), Vectors.bytes(old));
        assertThat(store.proveLegacyEvidence(row(request, 3, hash(100)), () -> 3))
                .isFalse();
    }

    private static ConfirmedBlock row(PublicationRequest request, long sequence, String blockHash) {
        return new ConfirmedBlock(
                sequence,
                100,
                blockHash,
                request.body().auditBundleSha256(),
                request.body().bodyUri());
    }

    @Test
    void onlyTheNewestEnvelopesAreKeptAndBodiesNeverGo() throws IOException {
        AuditStore store = open(NOTHING);
        for (int i = 1; i <= 4; i++) {
            long sequence = i;
            store.publish(request(store, i, 99 + i, 5), () -> sequence);
            Files.setLastModifiedTime(
                    config.directory().resolve(ArtifactName.envelope(99 + i, hash(99 + i))),
                    FileTime.from(NOW.plusSeconds(i)));
        }

        assertThat(names())
                .filteredOn(name -> name.startsWith("prism-live-audit-bundle-"))
                .containsExactlyInAnyOrder(
                        ArtifactName.envelope(102, hash(102)), ArtifactName.envelope(103, hash(103)));
        assertThat(store.usage().get("body").files()).isEqualTo(4);
    }

    @Test
    void abandonedCandidatesAreRemovedAndForeignFilesAreNot() throws IOException {
        AuditStore store = open(NOTHING);
        Path old = config.directory()
                .resolve(".prism-live-audit-bundle-candidate-" + hash(1) + "-" + "a".repeat(32) + ".json.tmp");
        Path foreign = config.directory().resolve(".prism-live-audit-bundle-candidate-x.json.tmp");
        for (Path file : List.of(old, foreign)) {
            Files.writeString(file, "x");
            Files.setLastModifiedTime(file, FileTime.from(NOW.minus(Duration.ofHours(2))));
        }

        store.publish(request(store, 1, 100, 5), () -> 1);

        assertThat(old).doesNotExist();
        assertThat(foreign).exists();
    }

    @Test
    void aCrashAtAnyStepLeavesTheOldPairOrTheNewOne() throws IOException {
        int steps = 0;
        boolean completed = false;
        while (!completed) {
            Path place = folder.resolve("run-" + steps);
            config = new AuditStoreConfig(place, place.resolve("evidence.json"), 4, 5, Duration.ofHours(1));
            AuditStore healthy = open(NOTHING);
            healthy.publish(request(healthy, 1, 100, 5), () -> 1);
            PublicationRequest next = request(healthy, 2, 101, 5);
            healthy.close();
            int limit = steps;
            int[] count = {0};
            AuditStore failing = AuditStore.open(config, NOTHING, CLOCK, step -> {
                if (count[0]++ == limit) {
                    throw new IOException("stopped before " + step);
                }
            });
            try {
                failing.publish(next, () -> 2);
                completed = true;
            } catch (UncheckedIOException e) {
                assertThat(evidence().get("block_height").asInt()).isIn(100, 101);
            }
            failing.close();
            Path envelope = Path.of(evidence().get("audit_bundle_path").asText());
            assertThat(envelope).exists();
            AuditStore restarted = open(NOTHING);
            assertThat(restarted.publish(request(restarted, 2, 101, 5), () -> 2))
                    .isIn(Publication.PUBLISHED, Publication.REPLAYED);
            assertThat(evidence().get("block_height").asInt()).isEqualTo(101);
            restarted.close();
            steps++;
        }
        assertThat(steps).isGreaterThan(6);
    }

    @Test
    void aReplacedFolderStopsEveryOperationUntilItIsBack() throws IOException {
        AuditStore store = open(NOTHING);
        Path aside = folder.resolve("aside");
        Files.move(config.directory(), aside);
        Files.createDirectory(config.directory());

        assertThatThrownBy(() -> store.storeBody(hash(1), bundle(1, 2, 100)))
                .hasMessageStartingWith("audit directory was replaced: ");

        Files.delete(config.directory());
        Files.move(aside, config.directory());
        assertThat(store.storeBody(hash(1), bundle(1, 2, 100)).shareCount()).isEqualTo(2);
    }

    @Test
    void aLinkInPlaceOfAFileIsNeverFollowed() throws IOException {
        AuditStore store = open(NOTHING);
        AuditBundle bundle = bundle(1, 2, 100);
        Path outside = Files.writeString(folder.resolve("outside.json"), "{}");
        Path link = config.directory().resolve(ArtifactName.body(hash(1), bundle.sha256Hex()));
        Files.createSymbolicLink(link, outside);

        assertThatThrownBy(() -> store.storeBody(hash(1), bundle)).isInstanceOf(UncheckedIOException.class);

        assertThat(outside).hasContent("{}");
    }

    private AuditStore open(MissingShares missing) {
        return AuditStore.open(config, missing, CLOCK);
    }

    private PublicationRequest request(AuditStore store, long sequence, long height, long shares) {
        AuditBundle bundle = bundle(1, 3, height);
        StoredArtifact body = store.storeBody(hash(height), bundle);
        VerificationReport report = new AuditVerifier(Vectors.LEDGER_KEY).verify(store.load(body.bodyUri()));
        return new PublicationRequest(
                sequence,
                hash(height),
                body,
                new VerificationIdentity(
                        VerificationIdentity.CONFIGURED, Vectors.LEDGER_KEY, bundle.sha256Hex(), 1, report),
                "",
                Map.of("accepted_share_count", shares),
                NOW.plusSeconds(shares));
    }

    private JsonNode evidence() {
        return parse(config.evidencePath());
    }

    private JsonNode read(String name) {
        return parse(config.directory().resolve(name));
    }

    private static JsonNode parse(Path file) {
        try {
            return Vectors.parse(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> names() {
        try (Stream<Path> files = Files.list(config.directory())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(long number) {
        return String.format("%064x", number);
    }

    private static AuditBundle bundle(long first, long last, long height) {
        return build(shares(first, last), height);
    }

    private static AuditBundle build(List<WindowShare> shares, long height) {
        BlockTerms terms = BlockTerms.of(new FoundBlock(height, 5_000_000, U128.ofUnsigned(1000), 10_000));
        AuditBundle bundle = BUILDER.build(new AuditBuildInput(shares, terms));
        return AuditBundle.read(ExactReader.of(bundle.canonicalBytes()));
    }

    private static List<WindowShare> shares(long first, long last) {
        List<WindowShare> shares = new ArrayList<>();
        for (long seq = first; seq <= last; seq++) {
            shares.add(new WindowShare(
                    seq,
                    "share-" + seq,
                    new PayoutIdentity("miner-ü", "01", "11".repeat(32)),
                    U128.ofUnsigned(10),
                    U128.ONE,
                    99,
                    "job",
                    1000 + seq,
                    1000 + seq,
                    7,
                    Optional.empty()));
        }
        return shares;
    }
}

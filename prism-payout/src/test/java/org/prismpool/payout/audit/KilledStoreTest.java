package org.prismpool.payout.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;

/** Stores of other processes: one that dies at a step, and two that publish at once. */
class KilledStoreTest {

    private static final int KILLED = 9;
    private static final AuditBundleBuilder BUILDER =
            new AuditBundleBuilder(SigningSeed.ofHex(Vectors.COINBASE_SEED), SigningSeed.ofHex(Vectors.LEDGER_SEED));

    @TempDir
    private Path folder;

    /** Publishes blocks in a process of its own: folder, first and last ordinal, step to die at or -1. */
    public static void main(String[] arguments) {
        int limit = Integer.parseInt(arguments[3]);
        int[] steps = {0};
        long last = Long.parseLong(arguments[2]);
        try (AuditStore store =
                AuditStore.open(config(Path.of(arguments[0])), (a, b) -> List.of(), Clock.systemUTC(), step -> {
                    if (steps[0]++ == limit) {
                        Runtime.getRuntime().halt(KILLED); // nothing is cleaned up, as with kill -9
                    }
                })) {
            for (long sequence = Long.parseLong(arguments[1]); sequence <= last; sequence++) {
                store.publish(request(store, sequence), () -> last);
            }
        }
    }

    @Test
    void aProcessKilledAtAnyStepLeavesTheOldPairOrTheNewOneAndAReplayCompletesIt()
            throws IOException, InterruptedException {
        int step = 0;
        int exit = KILLED;
        while (exit == KILLED) {
            Path place = folder.resolve("run-" + step);
            try (AuditStore healthy = open(place)) {
                healthy.publish(request(healthy, 1), () -> 1);
            }
            exit = run(place, 2, 2, step).waitFor();

            assertThat(exit).isIn(0, KILLED);
            long current = sequence(place);
            assertThat(current).as("killed at step %d", step).isIn(1L, 2L);
            assertThat(resolves(place)).isTrue();
            try (AuditStore restarted = open(place)) {
                assertThat(restarted.publish(request(restarted, 2), () -> 2))
                        .isEqualTo(current == 2 ? Publication.REPLAYED : Publication.PUBLISHED);
            }
            assertThat(sequence(place)).isEqualTo(2);
            assertThat(resolves(place)).isTrue();
            step += 2; // a process for every second step keeps the test short; which ones they are is the same every
            // time
        }
        assertThat(step).isGreaterThan(12);
    }

    @Test
    void twoProcessesThatPublishAtOnceKeepTheHigherOrdinal() throws IOException, InterruptedException {
        Process one = run(folder, 1, 12, -1);
        Process other = run(folder, 1, 12, -1);

        assertThat(one.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();

        assertThat(List.of(one.exitValue(), other.exitValue())).containsOnly(0);
        assertThat(sequence(folder)).isEqualTo(12);
        assertThat(resolves(folder)).isTrue();
    }

    private static Process run(Path place, long first, long last, int step) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KilledStoreTest.class.getName()));
        command.addAll(List.of(place.toString(), Long.toString(first), Long.toString(last), Integer.toString(step)));
        return new ProcessBuilder(command).inheritIO().start();
    }

    private static AuditStore open(Path place) {
        return AuditStore.open(config(place), (first, last) -> List.of(), Clock.systemUTC());
    }

    private static AuditStoreConfig config(Path place) {
        return new AuditStoreConfig(
                place.resolve("audit"), place.resolve("evidence/live.json"), 4, 5, Duration.ofHours(1));
    }

    private static long sequence(Path place) throws IOException {
        return evidence(place).at("/audit_publication_identity/sequence").asLong();
    }

    private static boolean resolves(Path place) throws IOException {
        JsonNode evidence = evidence(place);
        AuditBundle bundle =
                AuditArtifact.read(Path.of(evidence.get("audit_bundle_path").asText()));
        return bundle.sha256Hex()
                .equals(evidence.at("/persistence/audit_bundle_sha256").asText());
    }

    private static JsonNode evidence(Path place) throws IOException {
        return Vectors.parse(Files.readString(config(place).evidencePath()).getBytes(StandardCharsets.UTF_8));
    }

    private static PublicationRequest request(AuditStore store, long sequence) {
        long height = 99 + sequence;
        AuditBundle bundle = bundle(height);
        StoredArtifact body = store.storeBody(String.format("%064x", height), bundle);
        VerificationReport report = new AuditVerifier(Vectors.LEDGER_KEY).verify(store.load(body.bodyUri()));
        return new PublicationRequest(
                sequence,
                String.format("%064x", height),
                body,
                new VerificationIdentity(
                        VerificationIdentity.CONFIGURED, Vectors.LEDGER_KEY, bundle.sha256Hex(), 1, report),
                "",
                Map.of("accepted_share_count", 3L),
                Instant.EPOCH);
    }

    private static AuditBundle bundle(long height) {
        List<WindowShare> shares = new ArrayList<>();
        for (long seq = 1; seq <= height - 94; seq++) { // every block adds a share, so slots grow
            shares.add(new WindowShare(
                    seq,
                    "share-" + seq,
                    new PayoutIdentity("miner", "01", "11".repeat(32)),
                    U128.ofUnsigned(10),
                    U128.ONE,
                    99,
                    "job",
                    1000 + seq,
                    1000 + seq,
                    7,
                    Optional.empty()));
        }
        BlockTerms terms = BlockTerms.of(new FoundBlock(height, 5_000_000, U128.ofUnsigned(1000), 10_000));
        return AuditBundle.read(
                ExactReader.of(BUILDER.build(new AuditBuildInput(shares, terms)).canonicalBytes()));
    }
}

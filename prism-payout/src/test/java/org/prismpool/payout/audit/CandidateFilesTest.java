package org.prismpool.payout.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.window.PayoutRuleException;

class CandidateFilesTest {

    private static final String BLOCK = "ab".repeat(32);
    private static final AuditVerifier VERIFIER = new AuditVerifier(Vectors.LEDGER_KEY);

    @TempDir
    private Path folder;

    private AuditStore open(OwnedDirectory.StepHook hook) {
        AuditStoreConfig config =
                new AuditStoreConfig(folder, folder.resolve("evidence.json"), 10, 5, Duration.ofHours(1));
        return AuditStore.open(config, (first, last) -> List.of(), Clock.systemUTC(), hook);
    }

    private static AuditBundle bundle() {
        return AuditBundle.read(ExactReader.of(Vectors.bytes("payout/build/two-miners/bundle.json")));
    }

    private List<Path> candidates() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(".prism-"))
                    .filter(file -> !file.endsWith(".prism-audit-publication.lock"))
                    .toList();
        }
    }

    @Test
    void whatIsStoredWasVerifiedFromTheDiskAndNoCandidateStays() throws IOException {
        AuditStore store = open(step -> {});

        AuditStore.VerifiedArtifact written = store.storeVerified(BLOCK, bundle(), VERIFIER);

        assertThat(written.report()).isEqualTo(VERIFIER.verify(bundle()));
        assertThat(store.load(written.stored().bodyUri()).sha256Hex()).isEqualTo(bundle().sha256Hex());
        assertThat(candidates()).isEmpty();
    }

    @Test
    void aCandidateThatIsSwappedDuringVerificationIsRefusedAndTheOtherFileStays() throws IOException {
        Path other = Files.writeString(folder.resolve("other"), "not ours");
        AuditStore store = open(step -> {
            if (step.startsWith("copy ")) {
                Path candidate = folder.resolve(step.substring("copy ".length()));
                Files.write(other, Files.readAllBytes(candidate)); // the same bytes in another file
                Files.move(other, candidate, StandardCopyOption.REPLACE_EXISTING);
            }
        });

        assertThatThrownBy(() -> store.storeVerified(BLOCK, bundle(), VERIFIER))
                .isInstanceOf(PayoutRuleException.class)
                .hasMessage("candidate changed during verification");

        assertThat(candidates()).hasSize(1);
        assertThat(store.usage().get("body").files()).isZero();
    }

    @Test
    void aCandidateThatGrowsDuringVerificationIsRefused() {
        AuditStore store = open(step -> {
            if (step.startsWith("copy ")) {
                Files.writeString(folder.resolve(step.substring("copy ".length())), " ", StandardOpenOption.APPEND);
            }
        });

        assertThatThrownBy(() -> store.storeVerified(BLOCK, bundle(), VERIFIER))
                .hasMessage("candidate changed during verification");
        assertThat(store.usage().get("body").files()).isZero();
    }

    @Test
    void aBundleThatDoesNotVerifyIsNotStored() throws IOException {
        AuditStore store = open(step -> {});
        AuditVerifier stranger = new AuditVerifier("00".repeat(32));

        assertThatThrownBy(() -> store.storeVerified(BLOCK, bundle(), stranger))
                .hasMessage("audit bundle mismatch in ledger_attestation_public_key");

        assertThat(candidates()).isEmpty();
        assertThat(store.usage().get("body").files()).isZero();
    }

    @Test
    void aFailedCopyLeavesNoCandidate() throws IOException {
        AuditStore store = open(step -> {
            if (step.startsWith("copy ")) {
                throw new IOException("no space left");
            }
        });

        assertThatThrownBy(() -> store.storeVerified(BLOCK, bundle(), VERIFIER))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("no space left");
        assertThat(candidates()).isEmpty();
    }
}

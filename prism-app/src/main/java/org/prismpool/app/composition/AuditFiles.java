package org.prismpool.app.composition;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.finalization.AuditDocument;
import org.prismpool.payout.finalization.AuditTrail;
import org.prismpool.payout.finalization.BlockEvidence;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.payout.finalization.StoredBody;

/** Audit bodies and their publication as files. */
final class AuditFiles implements AuditTrail {

    private final Path directory;

    AuditFiles(Path directory) {
        this.directory = directory;
    }

    @Override
    public StoredBody store(CandidateIntent intent, AuditDocument document, Deadline deadline) {
        Path file = directory.resolve("prism-audit-bundle-body-"
                + intent.solution().hash().displayHex() + "-" + document.sha256Hex() + ".json");
        try {
            Files.createDirectories(directory);
            Path temporary = Files.createTempFile(directory, ".body", ".tmp");
            try (var out = Files.newOutputStream(temporary)) {
                out.write(document.bundle().canonicalBytes());
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new StoredBody(Optional.of(file.toAbsolutePath().toString()), Files.size(file));
        } catch (IOException failed) {
            throw new UncheckedIOException("audit body not stored in " + directory, failed);
        }
    }

    @Override
    public void publish(BlockEvidence evidence, Deadline deadline) {}
}

package org.prismpool.payout.audit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.window.PayoutRuleException;

/**
 * Verifies bundles from the bytes on the disk before they are stored (payout specification 15.4): what is verified is what an
 * outsider will read, not an object in memory. Thread-safe.
 */
final class CandidateFiles {

    private final OwnedDirectory directory;
    private final Set<String> reserved = ConcurrentHashMap.newKeySet(); // names of candidates that are in use

    CandidateFiles(OwnedDirectory directory) {
        this.directory = directory;
    }

    boolean isReserved(String name) {
        return reserved.contains(name);
    }

    /**
     * Writes a bundle as a candidate, verifies a private copy of it, and makes sure that the candidate is still what was
     * verified. The candidate is removed afterwards, unless another file took its name.
     */
    VerificationReport verify(String blockHash, AuditBundle bundle, AuditVerifier verifier) throws IOException {
        String name = ArtifactName.candidate(blockHash, UUID.randomUUID());
        reserved.add(name);
        try {
            OwnedDirectory.Stamp written = directory.create(name, bundle::write);
            try {
                VerificationReport report = verified(name, verifier);
                boolean unchanged =
                        directory.stamp(name).filter(written::equals).isPresent()
                                && directory.sha256Hex(name).equals(report.auditBundleSha256Hex());
                if (!unchanged) {
                    throw new PayoutRuleException("candidate changed during verification");
                }
                return report;
            } finally {
                directory.deleteIfUnchanged(name, written);
            }
        } finally {
            reserved.remove(name);
        }
    }

    private VerificationReport verified(String name, AuditVerifier verifier) throws IOException {
        AuditBundle copied;
        try (FileChannel copy =
                        directory.unlinkedCopy(name, ".prism-audit-verification-" + UUID.randomUUID() + ".tmp");
                InputStream in = Channels.newInputStream(copy)) {
            copied = AuditBundle.read(ExactReader.of(in));
        }
        return verifier.verify(copied);
    }
}

package org.prismpool.app.publicapi.model;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.read.PublicArtifact;

/**
 * Reads artifacts and lets only those out whose SHA-256 is the one that was asked for.
 *
 * <p>Thread-safe. One bundle is read at a time, because it may fill hundreds of megabytes beside a
 * pool that mines. Source: spec 08 §7.9.
 */
final class VerifiedArtifacts {

    private final BundleBodies bodies;
    private final Semaphore readers = new Semaphore(1, true);

    VerifiedArtifacts(BundleBodies bodies) {
        this.bodies = bodies;
    }

    /**
     * Reads a bundle.
     *
     * @throws UnverifiedArtifactException if the body cannot be read or is not this bundle
     * @throws DeadlineExceededException if other bundles are read for too long
     */
    AuditBundle bundle(AuditBundleRow row, Deadline deadline) {
        try {
            if (!readers.tryAcquire(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
                throw new DeadlineExceededException(deadline.owner(), "audit-bundle-body");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted while other audit bundles are read");
        }
        try {
            AuditBundle bundle = read(row);
            if (!bundle.sha256Hex().equals(row.sha256())) {
                throw refused("audit bundle", row.sha256(), "its body has another digest");
            }
            return bundle;
        } finally {
            readers.release();
        }
    }

    private AuditBundle read(AuditBundleRow row) {
        try {
            return bodies.bundle(row.body());
        } catch (RuntimeException unreadable) {
            throw new UnverifiedArtifactException(
                    "the body of audit bundle " + row.sha256() + " cannot be read", unreadable);
        }
    }

    /**
     * Returns the bytes of an artifact, which have this digest.
     *
     * @throws UnverifiedArtifactException if they don't
     */
    byte[] bytes(PublicArtifact artifact, String sha256, Deadline deadline) {
        if (artifact instanceof PublicArtifact.Bundle found) {
            if (!found.bundle().sha256().equals(sha256)) {
                throw refused("audit bundle", sha256, "the ledger answered with another one");
            }
            return bundle(found.bundle(), deadline).canonicalBytes();
        }
        if (artifact instanceof PublicArtifact.ManifestSet set) {
            return text("manifest set", set.canonicalJson(), sha256);
        }
        if (artifact instanceof PublicArtifact.Manifest manifest) {
            return text("manifest", manifest.canonicalJson(), sha256);
        }
        throw new IllegalArgumentException("no document has a digest of its bytes: " + artifact.getClass());
    }

    private static byte[] text(String what, String json, String sha256) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        if (!Hashing.sha256().hashBytes(bytes).toString().equals(sha256)) {
            throw refused(what, sha256, "its text has another digest");
        }
        return bytes;
    }

    private static UnverifiedArtifactException refused(String what, String sha256, String why) {
        return new UnverifiedArtifactException(what + " " + sha256 + " is withheld: " + why);
    }
}

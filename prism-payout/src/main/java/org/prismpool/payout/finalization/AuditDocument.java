package org.prismpool.payout.finalization;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.VerificationReport;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.reward.PayoutPolicyManifest;

/**
 * An audit bundle that was rebuilt for a found block and verified.
 *
 * @param bundle the bundle
 * @param report the verifier's report about it
 */
public record AuditDocument(AuditBundle bundle, VerificationReport report) {

    /** Checks the components. */
    public AuditDocument {
        Objects.requireNonNull(bundle, "bundle");
        Objects.requireNonNull(report, "report");
    }

    /**
     * Returns the public identity of the bundle.
     *
     * @return SHA-256 of its canonical bytes, lower-case hex
     */
    public String sha256Hex() {
        return report.auditBundleSha256Hex();
    }

    /**
     * Returns the accounts behind the coinbase.
     *
     * @return payout policy manifest
     */
    public PayoutPolicyManifest payoutPolicy() {
        return bundle.payoutPolicyManifest();
    }

    /**
     * Returns the fanouts that the coinbase commits to.
     *
     * @return manifest set, or empty for a coinbase that pays directly
     */
    public Optional<FanoutManifestSet> fanouts() {
        return bundle.ctvFanoutManifestSet();
    }

    /**
     * Returns the report as a document.
     *
     * @return compact canonical JSON
     */
    public String reportJson() {
        return new String(CanonicalWriter.bytesOf(report::write), StandardCharsets.UTF_8);
    }
}

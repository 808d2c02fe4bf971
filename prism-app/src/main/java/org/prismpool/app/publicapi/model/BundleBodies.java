package org.prismpool.app.publicapi.model;

import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.sharewriter.block.AuditBundleRow;

/** Port to the bodies of audit bundles. Thread-safe; blocks on the disk. */
@FunctionalInterface
public interface BundleBodies {

    /**
     * Reads the bundle that a row points to or holds; its digest is the caller's to check.
     *
     * @param body where the body is
     * @return the bundle
     * @throws RuntimeException if the body cannot be read or contradicts itself
     */
    AuditBundle bundle(AuditBundleRow.AuditBody body);
}

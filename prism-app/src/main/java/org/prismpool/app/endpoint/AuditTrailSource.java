package org.prismpool.app.endpoint;

import java.io.IOException;
import java.util.Optional;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.sharewriter.block.AuditBundleRow;

/** Port to the audit files. Called on request threads; blocks on the disk. Thread-safe. */
public interface AuditTrailSource {

    /**
     * Reads the evidence of the current block.
     *
     * @return the JSON document, empty before the first block
     * @throws IOException if it cannot be read
     */
    Optional<String> evidence() throws IOException;

    /**
     * Reads the bundle that a row points to or holds.
     *
     * @param body where the body is
     * @return the bundle, every statement of a compact form checked
     * @throws RuntimeException if the body cannot be read or contradicts itself
     */
    AuditBundle bundle(AuditBundleRow.AuditBody body);
}

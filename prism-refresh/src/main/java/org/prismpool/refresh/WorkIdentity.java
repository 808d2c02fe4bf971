package org.prismpool.refresh;

import java.util.Objects;
import org.prismpool.templates.chain.Hash256;

/**
 * Everything a piece of built work was made from, as far as publication must compare it (spec 07 §1.3).
 *
 * <p>Immutable. The object itself is the build key: the fence compares it by identity.
 *
 * @param parent hash that the work extends
 * @param fingerprint template fingerprint
 * @param templateGeneration template generation that the build used
 * @param payoutGeneration payout generation that the coinbase pays
 * @param payoutDigest digest of the prior balances in the coinbase, 64 hex digits
 * @param appendEpoch append-invalidation epoch of the share window; zero for collection work
 * @param mode ready work for everyone, or collection work for one worker
 */
public record WorkIdentity(
        Hash256 parent,
        String fingerprint,
        long templateGeneration,
        long payoutGeneration,
        String payoutDigest,
        long appendEpoch,
        WorkMode mode) {

    /** Checks the components. */
    public WorkIdentity {
        Objects.requireNonNull(parent, "parent");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(payoutDigest, "payoutDigest");
        Objects.requireNonNull(mode, "mode");
    }

    /**
     * Tells whether this work was built from a snapshot.
     *
     * @param snapshot the template observation
     * @return true iff parent, fingerprint and generation are the snapshot's
     */
    public boolean isBuiltFrom(TemplateSnapshot<?> snapshot) {
        return parent.equals(snapshot.parent())
                && fingerprint.equals(snapshot.fingerprint())
                && templateGeneration == snapshot.generation();
    }
}

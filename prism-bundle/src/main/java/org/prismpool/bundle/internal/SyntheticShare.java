package org.prismpool.bundle.internal;

import java.util.Optional;
import org.prismpool.bundle.CollectionIdentity;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.templates.job.BlockTerms;

/** The one share that collection work pays (spec 07 §4.1). */
final class SyntheticShare {

    private SyntheticShare() {}

    static WindowShare of(CollectionIdentity worker, BlockTerms terms, U128 networkDifficulty, long issuedAtMs) {
        return new WindowShare(
                1,
                AuditBundle.COLLECTION_SHARE,
                new PayoutIdentity(worker.payoutAddress(), worker.payoutAddress(), worker.p2mrProgramHex()),
                networkDifficulty,
                networkDifficulty,
                terms.height() - 1,
                "bootstrap-job",
                issuedAtMs,
                issuedAtMs,
                terms.time().current(),
                Optional.empty());
    }
}

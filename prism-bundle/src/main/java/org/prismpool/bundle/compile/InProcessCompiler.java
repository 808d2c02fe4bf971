package org.prismpool.bundle.compile;

import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.JobSummary;
import org.prismpool.payout.signing.ManifestSigner;
import org.prismpool.payout.window.PayoutRuleException;

/**
 * Compiles in this process, on the build thread of the caller (spec 07 §5.4). Shares nothing between compiles and stops
 * cooperatively; it can't be killed.
 *
 * <p>Thread-safe and stateless apart from its keys.
 */
public final class InProcessCompiler implements BundleCompiler {

    private final ManifestSigner coinbaseSigner;
    private final ManifestSigner ledgerSigner;
    private final MonotonicClock clock;

    /**
     * Creates a compiler.
     *
     * @param coinbaseSigner key of coinbase manifests
     * @param ledgerSigner key of window attestations, another one
     * @param clock monotonic clock of phase durations
     */
    public InProcessCompiler(ManifestSigner coinbaseSigner, ManifestSigner ledgerSigner, MonotonicClock clock) {
        this.coinbaseSigner = coinbaseSigner;
        this.ledgerSigner = ledgerSigner;
        this.clock = clock;
    }

    @Override
    public JobSummary compile(AuditBuildInput input, Deadline deadline, CancelSignal cancel, CompileProgress progress) {
        CompileWatch watch = new CompileWatch(deadline, cancel, progress, clock);
        watch.check("payout_derivation");
        try {
            JobSummary summary = new AuditBundleBuilder(coinbaseSigner, ledgerSigner, watch)
                    .summarize(new AuditBuildInput(watch.watched(input.shares()), input.terms()));
            watch.check("signing_verification");
            return summary;
        } catch (PayoutRuleException broken) {
            throw new CompileException(String.valueOf(broken.getMessage()), broken);
        }
    }
}

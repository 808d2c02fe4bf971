package org.prismpool.bundle.compile;

import java.time.Duration;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.BuildPhase;
import org.prismpool.payout.audit.JobSummary;
import org.prismpool.payout.signing.ManifestSigner;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.RewardWindow;

/**
 * Compiles in this process, on the build thread of the caller (spec 07 §5.4). Stops cooperatively; it can't be killed.
 *
 * <p>Share lists are taken as immutable: a list that was compiled before is not counted again, since a new template only
 * changes height and value. Thread-safe; between compiles it keeps nothing but the window of the last list, and that only
 * while there is memory to spare.
 */
public final class InProcessCompiler implements BundleCompiler {

    private static final Duration BUILD_TIMEOUT = Duration.ofSeconds(60);

    private final ManifestSigner coinbaseSigner;
    private final ManifestSigner ledgerSigner;
    private final Duration buildTimeout;
    private final MonotonicClock clock;
    private final LastWindow lastWindow = new LastWindow();

    /**
     * Creates a compiler whose compiles take at most 60 s.
     *
     * @param coinbaseSigner key of coinbase manifests
     * @param ledgerSigner key of window attestations, another one
     * @param clock monotonic clock of phase durations
     */
    public InProcessCompiler(ManifestSigner coinbaseSigner, ManifestSigner ledgerSigner, MonotonicClock clock) {
        this(coinbaseSigner, ledgerSigner, BUILD_TIMEOUT, clock);
    }

    /**
     * Creates a compiler.
     *
     * @param coinbaseSigner key of coinbase manifests
     * @param ledgerSigner key of window attestations, another one
     * @param buildTimeout longest compile, whatever its caller grants
     * @param clock monotonic clock of phase durations
     */
    public InProcessCompiler(
            ManifestSigner coinbaseSigner, ManifestSigner ledgerSigner, Duration buildTimeout, MonotonicClock clock) {
        this.coinbaseSigner = coinbaseSigner;
        this.ledgerSigner = ledgerSigner;
        this.buildTimeout = buildTimeout;
        this.clock = clock;
    }

    @Override
    public JobSummary compile(AuditBuildInput input, Deadline deadline, CancelSignal cancel, CompileProgress progress) {
        Deadline bound = deadline.within(buildTimeout, HelperProcess.PHASE);
        CompileWatch watch = new CompileWatch(bound, cancel, progress, clock);
        watch.check("payout_derivation");
        try {
            RewardWindow window = window(input, watch);
            JobSummary summary =
                    new AuditBundleBuilder(coinbaseSigner, ledgerSigner, watch).summarize(window, input.terms());
            watch.check("signing_verification");
            return summary;
        } catch (PayoutRuleException broken) {
            throw new CompileException(String.valueOf(broken.getMessage()), broken);
        }
    }

    private RewardWindow window(AuditBuildInput input, CompileWatch watch) {
        FoundBlock block = input.terms().foundBlock();
        Optional<RewardWindow> counted = lastWindow.find(input.shares(), block);
        if (counted.isPresent()) {
            return counted.get();
        }
        watch.phaseBegan(BuildPhase.PAYOUT_STATE_DERIVATION);
        RewardWindow window = RewardWindow.of(watch.watched(input.shares()), block);
        watch.phaseEnded(BuildPhase.PAYOUT_STATE_DERIVATION);
        lastWindow.keep(input.shares(), window);
        return window;
    }
}

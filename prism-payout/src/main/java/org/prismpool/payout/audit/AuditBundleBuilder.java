package org.prismpool.payout.audit;

import java.util.List;
import org.prismpool.payout.signing.ManifestSigner;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowShare;

/**
 * Computes what a block pays and proves it: the job summary that work is made of, or the whole audit bundle.
 *
 * <p>A pure calculation over its arguments and two keys: the same input gives the same bytes on every machine. Immutable and
 * thread-safe; a call runs on the caller's thread and never blocks, except where a signer does.
 */
public final class AuditBundleBuilder {

    private final ManifestSigner coinbaseSigner;
    private final ManifestSigner ledgerSigner;
    private final BuildObserver observer;

    /**
     * Creates a builder.
     *
     * @param coinbaseSigner key of coinbase manifests
     * @param ledgerSigner key of ledger-window attestations
     * @throws PayoutRuleException if both have the same public key
     */
    public AuditBundleBuilder(ManifestSigner coinbaseSigner, ManifestSigner ledgerSigner) {
        this(coinbaseSigner, ledgerSigner, BuildObserver.NONE);
    }

    /**
     * Creates a builder that is timed.
     *
     * @param coinbaseSigner key of coinbase manifests
     * @param ledgerSigner key of ledger-window attestations
     * @param observer hears how long phases took
     * @throws PayoutRuleException if both have the same public key
     */
    public AuditBundleBuilder(ManifestSigner coinbaseSigner, ManifestSigner ledgerSigner, BuildObserver observer) {
        if (coinbaseSigner.publicKeyHex().equals(ledgerSigner.publicKeyHex())) {
            throw new PayoutRuleException(
                    "ledger attestation signing key must be distinct from coinbase manifest signing key");
        }
        this.coinbaseSigner = coinbaseSigner;
        this.ledgerSigner = ledgerSigner;
        this.observer = observer;
    }

    /**
     * Builds a whole bundle.
     *
     * @param input shares and terms
     * @return the bundle
     * @throws PayoutRuleException with the contract text of the first rule that the input breaks
     */
    public AuditBundle build(AuditBuildInput input) {
        try (BundleBuild build = new BundleBuild(input.terms(), observer)) {
            return build(build.window(input.shares()), input.shares());
        }
    }

    /**
     * Builds a whole bundle from a window that is already computed.
     *
     * @param window the window of the terms' block
     * @param shares the shares to publish; the window's must be among them
     * @param terms everything else
     * @return the bundle
     * @throws PayoutRuleException with the contract text of the first rule that the input breaks
     */
    public AuditBundle build(RewardWindow window, List<WindowShare> shares, BlockTerms terms) {
        try (BundleBuild build = new BundleBuild(terms, observer)) {
            return build(build.window(window), shares);
        }
    }

    /**
     * Computes the coinbase of a job and who it pays.
     *
     * @param input shares and terms
     * @return the summary, the same that the bundle of this input has
     * @throws PayoutRuleException with the contract text of the first rule that the input breaks
     */
    public JobSummary summarize(AuditBuildInput input) {
        try (BundleBuild build = new BundleBuild(input.terms(), observer)) {
            return summarize(build.window(input.shares()));
        }
    }

    /**
     * Computes the coinbase of a job from a window that is already computed.
     *
     * @param window the window of the terms' block
     * @param terms everything else
     * @return the summary
     * @throws PayoutRuleException with the contract text of the first rule that the input breaks
     */
    public JobSummary summarize(RewardWindow window, BlockTerms terms) {
        try (BundleBuild build = new BundleBuild(terms, observer)) {
            return summarize(build.window(window));
        }
    }

    private AuditBundle build(BundleBuild build, List<WindowShare> shares) {
        return build.attest(ledgerSigner).derive().coinbase(coinbaseSigner).bundle(shares);
    }

    private JobSummary summarize(BundleBuild build) {
        return build.derive().coinbase(coinbaseSigner).summary();
    }
}

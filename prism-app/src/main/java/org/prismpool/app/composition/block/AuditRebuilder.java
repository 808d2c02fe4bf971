package org.prismpool.app.composition.block;

import java.util.HexFormat;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.audit.VerificationReport;
import org.prismpool.payout.finalization.AuditDocument;
import org.prismpool.payout.finalization.AuditMismatchException;
import org.prismpool.payout.finalization.BuildInputs;
import org.prismpool.payout.finalization.BundleRebuilder;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.payout.signing.ManifestSigner;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.job.CoinbaseScript;

/** Rebuilds the audit bundle of a found block from its frozen inputs and verifies it against what was submitted. */
public final class AuditRebuilder implements BundleRebuilder {

    private final AuditBundleBuilder builder;
    private final Optional<String> trustedKeyHex;
    private final BuildInputs configured;
    private final String ownKeyHex;

    /**
     * Creates the adapter.
     *
     * @param coinbaseSigner signs coinbase manifests
     * @param ledgerSigner signs window attestations
     * @param trustedKeyHex pinned ledger key; without one the bundle's own key is believed, which only tests may do
     * @param configured inputs of rows that carry none, as written by other implementations
     */
    public AuditRebuilder(
            ManifestSigner coinbaseSigner,
            ManifestSigner ledgerSigner,
            Optional<String> trustedKeyHex,
            BuildInputs configured) {
        this.builder = new AuditBundleBuilder(coinbaseSigner, ledgerSigner);
        this.trustedKeyHex = trustedKeyHex;
        this.configured = configured;
        this.ownKeyHex = ledgerSigner.publicKeyHex();
    }

    @Override
    public AuditDocument rebuild(CandidateIntent intent, Deadline deadline, CancelSignal cancel) {
        cancel.throwIfCancelled();
        BuildInputs inputs = intent.work().buildInputs().orElse(configured);
        BlockTerms terms = new BlockTerms(
                intent.work().foundBlock(),
                intent.work().priorBalances(),
                inputs.payoutPolicy(),
                scriptSigSuffix(intent.solution()),
                intent.work().witnessLeavesHex(),
                inputs.ctvSettlement().orElse(null));
        try {
            AuditBundle bundle = builder.build(new AuditBuildInput(intent.work().shares(), terms));
            deadline.check("audit-rebuild");
            cancel.throwIfCancelled();
            VerificationReport report = new AuditVerifier(trustedKeyHex.orElse(ownKeyHex)).verify(bundle);
            AuditVerifier.compareWithChain(
                    report, intent.solution().coinbaseHex(), intent.solution().coinbaseValueSats());
            if (report.blockHeight() != intent.solution().height()) {
                throw new AuditMismatchException("the rebuilt bundle is for height " + report.blockHeight());
            }
            return new AuditDocument(bundle, report);
        } catch (PayoutRuleException mismatch) {
            throw new AuditMismatchException(String.valueOf(mismatch.getMessage()), mismatch);
        }
    }

    /** What follows the height in the submitted coinbase: tag and both extranonces, whatever is configured now. */
    private static String scriptSigSuffix(CandidateIntent.Solution solution) {
        byte[] script =
                Transaction.parseHex(solution.coinbaseHex()).inputs().get(0).scriptSig();
        int prefix = CoinbaseScript.heightPush(solution.height()).length;
        return HexFormat.of().formatHex(script, prefix, script.length);
    }
}

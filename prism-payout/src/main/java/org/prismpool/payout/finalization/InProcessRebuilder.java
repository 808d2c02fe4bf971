package org.prismpool.payout.finalization;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.audit.VerificationReport;
import org.prismpool.payout.window.PayoutRuleException;

/**
 * Rebuilds and verifies audit bundles in this process. Immutable and thread-safe.
 *
 * <p>The scriptSig suffix is read from the submitted coinbase behind its height push, so that tag and extranonces are those
 * of the block.
 */
public final class InProcessRebuilder implements BundleRebuilder {

    private final AuditBundleBuilder builder;
    private final AuditVerifier verifier;
    private final Supplier<BuildInputs> currentRules;

    /**
     * Creates a rebuilder.
     *
     * @param builder builder with the pool's keys
     * @param verifier verifier with the trusted ledger key
     * @param currentRules rules for intents that carry none, as the reference implementation wrote them
     */
    public InProcessRebuilder(AuditBundleBuilder builder, AuditVerifier verifier, Supplier<BuildInputs> currentRules) {
        this.builder = builder;
        this.verifier = verifier;
        this.currentRules = currentRules;
    }

    @Override
    public AuditDocument rebuild(CandidateIntent intent, Deadline deadline, CancelSignal cancel) {
        cancel.throwIfCancelled();
        deadline.check("audit_rebuild");
        AuditBundle bundle = build(intent);
        deadline.check("audit_rebuild");
        requireSubmittedCoinbase(intent, bundle);
        cancel.throwIfCancelled();
        try {
            VerificationReport report = verifier.verify(bundle);
            AuditVerifier.compareWithChain(
                    report,
                    intent.solution().coinbaseHex(),
                    OptionalLong.of(intent.solution().coinbaseValueSats()));
            if (report.blockHeight() != intent.solution().height()) {
                throw new AuditMismatchException("the audit bundle has another block height");
            }
            deadline.check("audit_verify");
            return new AuditDocument(bundle, report);
        } catch (PayoutRuleException finding) {
            throw new AuditMismatchException("the audit bundle does not verify: " + finding.getMessage(), finding);
        }
    }

    private AuditBundle build(CandidateIntent intent) {
        IntentWork work = intent.work();
        BuildInputs rules = work.buildInputs().orElseGet(currentRules);
        BlockTerms terms = new BlockTerms(
                work.foundBlock(),
                work.priorBalances(),
                rules.payoutPolicy(),
                Optional.of(CoinbaseSuffix.of(intent.solution())),
                work.witnessLeavesHex(),
                rules.ctvSettlement());
        try {
            return builder.build(new AuditBuildInput(work.shares(), terms));
        } catch (PayoutRuleException broken) {
            throw new AuditMismatchException("the audit bundle can't be rebuilt: " + broken.getMessage(), broken);
        }
    }

    private static void requireSubmittedCoinbase(CandidateIntent intent, AuditBundle bundle) {
        String rebuilt = bundle.signedCoinbaseManifest().manifest().coinbaseTxHex();
        if (!rebuilt.equalsIgnoreCase(intent.solution().coinbaseHex())) {
            throw new AuditMismatchException("the rebuilt coinbase differs from the submitted one");
        }
    }
}

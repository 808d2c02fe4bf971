package org.prismpool.payout.finalization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.reward.CoinbaseOutputPolicy;
import org.prismpool.payout.reward.PayoutPolicy;

/** A restart may come with another configuration; a found block keeps the rules that its coinbase was built by. */
class InProcessRebuilderTest {

    /** Would pay miner b too, whose share the policy of the job carries forward. */
    private static final PayoutPolicy CHANGED =
            new PayoutPolicy(1, 1, 1, Optional.empty(), Optional.empty(), CoinbaseOutputPolicy.CANONICAL);

    private final SolvedBlock block = SolvedBlock.first();

    private static AuditDocument rebuild(CandidateIntent intent, PayoutPolicy configuredNow) {
        return new InProcessRebuilder(
                        new AuditBundleBuilder(SolvedBlock.MANIFEST_KEY, SolvedBlock.LEDGER_KEY),
                        new AuditVerifier(SolvedBlock.LEDGER_KEY.publicKeyHex()),
                        () -> new BuildInputs(configuredNow, Optional.empty()))
                .rebuild(intent, Deadline.unbounded(new ManualClock(), "test"), CancelSignal.never());
    }

    private static CandidateIntent withoutInputs(CandidateIntent intent) {
        IntentWork work = intent.work();
        return new CandidateIntent(
                intent.solution(),
                new IntentWork(
                        work.shares(),
                        work.priorBalances(),
                        work.foundBlock(),
                        work.prospectiveBalances(),
                        work.witnessLeavesHex(),
                        Optional.empty(),
                        work.collectionOnly()),
                intent.username(),
                intent.share(),
                intent.creditShareOnAccept());
    }

    private static String coinbase(AuditDocument document) {
        return document.bundle().signedCoinbaseManifest().manifest().coinbaseTxHex();
    }

    @Test
    void anIntentIsRebuiltFromItsOwnInputsWhateverIsConfiguredNow() {
        String submitted = block.candidate().coinbaseHex();
        assertThat(coinbase(rebuild(block.intent(), CHANGED))).isEqualTo(submitted);
    }

    @Test
    void anIntentOfAnOlderReleaseIsRebuiltFromTheConfiguration() {
        String submitted = block.candidate().coinbaseHex();
        CandidateIntent older = withoutInputs(block.intent());
        assertThat(coinbase(rebuild(older, PayoutPolicy.DAY_ONE))).isEqualTo(submitted);
        assertThatExceptionOfType(AuditMismatchException.class).isThrownBy(() -> rebuild(older, CHANGED));
    }

    @Test
    void aBundleOfAnotherLedgerKeyIsRefused() {
        InProcessRebuilder foreign = new InProcessRebuilder(
                new AuditBundleBuilder(SolvedBlock.MANIFEST_KEY, SolvedBlock.LEDGER_KEY),
                new AuditVerifier(SolvedBlock.MANIFEST_KEY.publicKeyHex()),
                () -> new BuildInputs(PayoutPolicy.DAY_ONE, Optional.empty()));
        Deadline deadline = Deadline.unbounded(new ManualClock(), "test");
        assertThatExceptionOfType(AuditMismatchException.class)
                .isThrownBy(() -> foreign.rebuild(block.intent(), deadline, CancelSignal.never()));
    }
}

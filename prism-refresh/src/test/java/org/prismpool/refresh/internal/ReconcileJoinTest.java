package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.ChainReconciliation;
import org.prismpool.refresh.RefreshCompanions;
import org.prismpool.refresh.RefreshConfig;
import org.prismpool.refresh.RefreshMetrics.ReconcileSource;
import org.prismpool.refresh.WaveOutcome;
import org.prismpool.templates.chain.Hash256;

/** Overlap and bounded join of the reconcile pass: spec 07 §3.5, traps 74, 75. */
class ReconcileJoinTest {

    /** A reconcile pass that tests complete. */
    private static final class FakeReconciliation implements ChainReconciliation {
        private final List<Hash256> proofs = new ArrayList<>();
        private final List<Boolean> bypasses = new ArrayList<>();
        private final List<Hash256> fresh = new ArrayList<>();
        private boolean passResult = true;
        private CompletableFuture<Boolean> pass = CompletableFuture.completedFuture(true);
        private Runnable onProve = () -> {};
        private int passes;

        @Override
        public boolean fresh(Hash256 tip) {
            return fresh.contains(tip);
        }

        @Override
        public CompletableFuture<Boolean> prove(Hash256 tip, boolean bypassMemory) {
            proofs.add(tip);
            bypasses.add(bypassMemory);
            onProve.run();
            if (pass.isDone()) {
                passes++;
                return CompletableFuture.completedFuture(passResult);
            }
            return pass.copy(); // joins the pass under way; cancelling the copy only detaches
        }

        @Override
        public void keepOnly(Hash256 tip) {
            fresh.removeIf(known -> !known.equals(tip));
        }
    }

    private final FakeReconciliation reconciliation = new FakeReconciliation();
    private final RefreshRig rig =
            new RefreshRig(RefreshConfig.defaults(), RefreshCompanions.none().withReconciliation(reconciliation));

    @Test
    void thePassBesideTheTemplateFetchIsJoined() {
        rig.settled(1);
        rig.lookups.clear();
        reconciliation.proofs.clear();
        rig.chain.mine(B);

        rig.engine.attemptNow();

        assertThat(reconciliation.proofs).containsExactly(B);
        assertThat(rig.lookups).containsExactly(ReconcileSource.OVERLAP);
        assertThat(rig.publishedTip()).isEqualTo(B);
    }

    @Test
    void aRememberedProofNeedsNoPass() {
        rig.settled(1);
        rig.lookups.clear();
        reconciliation.proofs.clear();
        rig.engine.observe(B, rig.engine.reserveObservation());
        rig.chain.mine(B);
        reconciliation.fresh.add(B);

        rig.engine.attemptNow();

        assertThat(reconciliation.proofs).isEmpty();
        assertThat(rig.lookups).containsExactly(ReconcileSource.MEMO_HIT);
    }

    @Test
    void aTipThatFlippedAwayAndBackDuringThePassIsProvenAgain() {
        rig.settled(1);
        reconciliation.proofs.clear();
        reconciliation.bypasses.clear();
        rig.chain.mine(B);
        rig.chain.duringFetch = () -> {
            rig.engine.observe(A, rig.engine.reserveObservation());
            rig.engine.observe(B, rig.engine.reserveObservation());
        };

        rig.engine.attemptNow();

        assertThat(reconciliation.proofs).containsExactly(B, B);
        assertThat(reconciliation.bypasses).containsExactly(false, true);
    }

    @Test
    void aFailedProofPublishesNothing() {
        rig.settled(1);
        reconciliation.passResult = false;
        rig.chain.mine(B);

        rig.engine.attemptNow();

        assertThat(rig.waves).containsExactly(WaveOutcome.TRUST_BLOCKED);
        assertThat(rig.publishedTip()).isEqualTo(A);
    }

    @Test
    void aPassThatNeverEndsFailsTheAttemptAfterTwentySecondsAndIsJoinedAgain() {
        rig.settled(1);
        reconciliation.pass = new CompletableFuture<>();
        rig.chain.mine(B);
        Duration started = rig.time.now();
        int passes = reconciliation.passes;

        rig.engine.attemptNow();

        assertThat(rig.time.now().minus(started)).isBetween(Duration.ofSeconds(20), Duration.ofMillis(20_100));
        assertThat(rig.longestGapNanos).isLessThan(Duration.ofSeconds(1).toNanos());
        rig.time.in(Duration.ofSeconds(5), () -> {
            reconciliation.fresh.add(B);
            reconciliation.pass.complete(true);
        });
        rig.driveUntil(rig.time.now().plusSeconds(10));
        assertThat(rig.publishedTip()).isEqualTo(B);
        assertThat(reconciliation.passes).as("the one pass was joined").isEqualTo(passes);
    }

    @Test
    void withoutOverlapThePassIsSerial() {
        RefreshRig serial = new RefreshRig(
                        RefreshConfig.defaults().with(new RefreshConfig.Wave(false, 16, false)),
                        RefreshCompanions.none().withReconciliation(reconciliation))
                .settled(1);
        serial.lookups.clear();
        serial.chain.mine(B);

        serial.engine.attemptNow();

        assertThat(serial.lookups).containsExactly(ReconcileSource.SERIAL);
    }
}

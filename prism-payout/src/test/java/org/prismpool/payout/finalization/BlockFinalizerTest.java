package org.prismpool.payout.finalization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.state.BalanceSerializer;
import org.prismpool.templates.block.AbandonDecision;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.ChainVerdict;
import org.prismpool.templates.block.OfferOutcome;
import org.prismpool.templates.block.PreviewSwitch;
import org.prismpool.templates.chain.Hash256;

class BlockFinalizerTest {

    private final FakeWorld world = new FakeWorld();
    private final List<String> settled = new CopyOnWriteArrayList<>();
    private final CountDownLatch probeGate = new CountDownLatch(1);
    private volatile boolean dying;

    @Test
    void eachHandOverIsSettledOnceOnTheFinalizersThreadInTheOrderOfHeights() {
        SolvedBlock first = SolvedBlock.first();
        SolvedBlock second = SolvedBlock.at(11, SolvedBlock.hash(11), first.hash(), first.after());
        world.active(first);
        world.active(second);
        try (BlockFinalizer finalizer = finalizer()) {
            finalizer.account(second.offered(new OfferOutcome.Accepted()));
            finalizer.account(first.offered(new OfferOutcome.Accepted()));
            assertThat(finalizer.waiting()).isEqualTo(2);
            probeGate.countDown();

            finalizer.start(lane());

            Awaitility.await("both settled").until(() -> settled.size() == 2);
            assertThat(settled)
                    .containsExactly("10 Submitted prism-payout-finalizer", "11 Submitted prism-payout-finalizer");
        }
    }

    @Test
    void anUnforeseenFaultBecomesARetryAndTheThreadLivesOn() {
        SolvedBlock block = SolvedBlock.first();
        world.active(block);
        probeGate.countDown();
        dying = true;
        try (BlockFinalizer finalizer = finalizer()) {
            finalizer.start(lane());
            finalizer.account(block.offered(new OfferOutcome.Duplicate()));
            Awaitility.await("retry").until(() -> settled.size() == 1);
            dying = false;

            finalizer.account(block.offered(new OfferOutcome.Duplicate()));

            Awaitility.await("accounted").until(() -> settled.size() == 2);
            assertThat(settled.get(0)).startsWith("10 Retry");
            assertThat(settled.get(1)).startsWith("10 Submitted");
        }
    }

    @Test
    void closingLeavesWhatIsNotAccountedAndTheThreadEnds() {
        BlockFinalizer finalizer = finalizer();
        finalizer.start(lane());
        finalizer.account(SolvedBlock.first().offered(new OfferOutcome.Duplicate()));
        probeGate.countDown();

        finalizer.close();

        assertThatThrownBy(() -> finalizer.start(lane())).isInstanceOf(IllegalStateException.class);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(t -> t.getName().equals("prism-payout-finalizer") && t.isAlive());
    }

    private BlockFinalizer finalizer() {
        return new BlockFinalizer(
                FinalizerConfig.DEFAULT, world.ports(), world.payout, new BalanceSerializer(), world.clock);
    }

    private OfferLane lane() {
        return new OfferLane() {
            @Override
            public void settle(Hash256 hash, AccountingResult result) {
                settled.add(hash.toUnsignedInteger() + " "
                        + result.getClass().getSimpleName() + " "
                        + Thread.currentThread().getName());
            }

            @Override
            public ChainVerdict probe(BlockCandidate candidate, Deadline deadline) {
                try {
                    probeGate.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                if (dying) {
                    throw new StackOverflowError("deep");
                }
                return world.chain.getOrDefault(candidate.hash(), ChainVerdict.UNKNOWN);
            }

            @Override
            public AbandonDecision abandon(
                    BlockCandidate candidate, AbandonReason reason, PreviewSwitch preview, Deadline deadline) {
                return AbandonDecision.DEFERRED;
            }

            @Override
            public OfferOutcome offer(BlockCandidate candidate, Deadline deadline) {
                return new OfferOutcome.Accepted();
            }
        };
    }
}

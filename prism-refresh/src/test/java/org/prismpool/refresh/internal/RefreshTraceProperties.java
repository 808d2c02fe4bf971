package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.FakeChain.hash;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.prismpool.refresh.ChainTip;
import org.prismpool.refresh.RefreshConfig;

/**
 * The whole driver on simulated time under random trouble: what is sent always extends the published tip and pays the
 * current generation, and once the trouble is over everyone has the newest work (spec 07 §9: S1, S2, S6, S7, L1, L2, L4).
 */
class RefreshTraceProperties {

    private enum Trouble {
        MINE,
        NOTICE,
        LATE_NOTICE,
        PAYOUT,
        FENCE,
        NODE_DOWN,
        NODE_UP,
        DISTRUST,
        TRUST,
        BUSY_CLIENT,
        CONNECT,
        SLOW_BUILDS,
        FAST_BUILDS
    }

    /** Something that happens, this many milliseconds after the thing before it. */
    private record Step(Trouble trouble, int afterMillis) {}

    @Provide
    Arbitrary<List<Step>> traces() {
        return Combinators.combine(
                        Arbitraries.of(Trouble.class), Arbitraries.integers().between(0, 900))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(40);
    }

    @Property(tries = 150)
    void noTroubleMakesItSendObsoleteWorkAndAllTroubleEnds(
            @ForAll("traces") List<Step> trace, @ForAll boolean epochMode) {
        RefreshRig rig = new RefreshRig(epochMode ? RefreshRig.epochMode() : RefreshConfig.defaults());
        rig.settled(3);
        rig.fanout.afterEachSend = () -> {
            if (!rig.fanout.sent.isEmpty()) {
                var last = rig.fanout.sent.get(rig.fanout.sent.size() - 1);
                assertThat(last.work().parent()).isEqualTo(rig.publishedTip());
                assertThat(last.work().payoutGeneration())
                        .isEqualTo(rig.gate.current().generation());
            }
        };
        rig.fanout.perSend = Duration.ofMillis(20);
        int[] blocks = {100};
        Duration at = rig.time.now();
        for (Step step : trace) {
            at = at.plusMillis(step.afterMillis());
            rig.time.at(at, () -> happen(rig, step.trouble(), blocks));
        }
        rig.time.at(at.plusMillis(1), () -> calm(rig));

        rig.driveUntil(at.plusSeconds(30));

        assertThat(rig.publishedTip()).isEqualTo(rig.chain.best);
        assertThat(rig.fanout.clients.values()).allSatisfy(job -> {
            assertThat(job.orElseThrow().work().parent()).isEqualTo(rig.chain.best);
            assertThat(job.orElseThrow().work().payoutGeneration())
                    .isEqualTo(rig.gate.current().generation());
        });
        assertThat(rig.engine.refreshPending()).isFalse();
        assertThat(rig.engine.authority().fanout()).isEmpty();
        assertThat(rig.builder.openReservations).isZero();
        assertThat(rig.longestGapNanos).isLessThan(Duration.ofSeconds(1).toNanos());
    }

    private static void happen(RefreshRig rig, Trouble trouble, int[] blocks) {
        switch (trouble) {
            case MINE -> rig.chain.mine(hash(++blocks[0]));
            case NOTICE -> rig.engine.observe(rig.chain.best, rig.engine.reserveObservation());
            case LATE_NOTICE -> {
                long early = rig.engine.reserveObservation();
                var old = rig.chain.best;
                rig.chain.mine(hash(++blocks[0]));
                rig.engine.observe(rig.chain.best, rig.engine.reserveObservation());
                rig.engine.observe(old, early);
            }
            case PAYOUT -> {
                rig.engine.payoutFenced(rig.gate.current().generation() + 1);
                rig.gate.publish(rig.gate.current().generation() + 1);
                rig.engine.payoutPublished(rig.gate.current());
            }
            case FENCE -> {
                rig.gate.fence();
                rig.engine.payoutFenced(rig.gate.current().generation() + 1);
            }
            case NODE_DOWN -> rig.chain.down = true;
            case NODE_UP -> rig.chain.down = false;
            case DISTRUST -> rig.chain.trust = ChainTip.ChainTrust.no("headers ahead of blocks");
            case TRUST -> rig.chain.trust = ChainTip.ChainTrust.yes();
            case BUSY_CLIENT -> rig.fanout.busy.add(1L);
            case CONNECT -> rig.fanout.connect(1);
            case SLOW_BUILDS -> rig.builder.takes = Duration.ofMillis(700);
            case FAST_BUILDS -> rig.builder.takes = Duration.ZERO;
        }
    }

    private static void calm(RefreshRig rig) {
        rig.chain.down = false;
        rig.chain.trust = ChainTip.ChainTrust.yes();
        rig.fanout.busy.clear();
        rig.builder.takes = Duration.ZERO;
        if (rig.gate.current().fenced()) {
            rig.gate.publish(rig.gate.current().generation() + 1);
            rig.engine.payoutPublished(rig.gate.current());
        }
    }
}

package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.FanoutOrder;
import org.prismpool.refresh.FanoutReport;
import org.prismpool.refresh.RefreshClocks;
import org.prismpool.refresh.RefreshCompanions;
import org.prismpool.refresh.RefreshConfig;
import org.prismpool.refresh.RefreshPorts;

/** The two real threads: start, a tip on the way through, and a stop that nothing can hold up. */
class EngineThreadsTest {

    private final SimulatedTime time = new SimulatedTime(); // only the fakes' own clock
    private final FakeChain chain = new FakeChain(time, A);
    private final FakeGate gate = new FakeGate(time);
    private final FakeBuilder builder = new FakeBuilder(time, gate);
    private final FakeFanout fanout = new FakeFanout(time);
    private final CountDownLatch fanoutEntered = new CountDownLatch(1);
    private final RefreshEngine<String, String> engine = new RefreshEngine<>(
            RefreshConfig.defaults(),
            new RefreshPorts<>(chain, chain, builder, gate, fanout),
            RefreshCompanions.none(),
            RefreshClocks.system(),
            Waits.real());

    @AfterEach
    void stop() {
        engine.stop(Duration.ofSeconds(5));
    }

    @Test
    void aTipThatTheNodeAnnouncesIsPublished() {
        fanout.connect(2);
        engine.prewarm();
        engine.start();

        chain.mine(B);

        await("publication of B")
                .atMost(Duration.ofSeconds(30))
                .until(() -> engine.authority()
                        .published()
                        .filter(tip -> tip.hash().equals(B))
                        .isPresent());
        assertThat(engine.stop(Duration.ofSeconds(5))).isTrue();
    }

    @Test
    void aStopEndsAFanoutUnderWay() {
        RefreshEngine<String, String> stuck = new RefreshEngine<>(
                RefreshConfig.defaults(),
                new RefreshPorts<>(chain, chain, builder, gate, new StuckFanout()),
                RefreshCompanions.none(),
                RefreshClocks.system(),
                Waits.real());
        fanout.connect(1);
        stuck.start();
        await().until(() -> fanoutEntered.getCount() == 0);

        assertThat(stuck.stop(Duration.ofSeconds(5))).isTrue();
    }

    @Test
    void itStartsOnce() {
        engine.start();

        assertThatThrownBy(engine::start).isInstanceOf(IllegalStateException.class);
    }

    /** Delivers until it is cancelled. */
    private final class StuckFanout implements org.prismpool.refresh.Fanout<String, String> {

        @Override
        public java.util.List<org.prismpool.refresh.FanoutTarget> select(org.prismpool.refresh.TargetQuery query) {
            return fanout.select(query);
        }

        @Override
        public FanoutReport deliver(FanoutOrder<String, String> order) throws InterruptedException {
            CountDownLatch cancelled = new CountDownLatch(1);
            order.cancel().onCancel(cancelled::countDown);
            fanoutEntered.countDown();
            cancelled.await();
            return new FanoutReport(0, 1, 0, 0, 0, 0, FanoutReport.End.CANCELLED, FanoutReport.Times.none());
        }
    }
}

package org.prismpool.stratum.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.InitialRequest;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobIssuer;
import org.prismpool.stratum.JobOutcome;
import org.prismpool.stratum.JobPolicy;
import org.prismpool.stratum.JobRequest;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.ListenerWatch;
import org.prismpool.stratum.PoolState;
import org.prismpool.stratum.RecordingMetrics;
import org.prismpool.stratum.RecordingShares;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumConnection;
import org.prismpool.stratum.TipSnapshot;
import org.prismpool.stratum.TipView;
import org.prismpool.stratum.WorkedExample;
import org.prismpool.stratum.codec.RequestParser;
import org.prismpool.stratum.session.Session;
import org.prismpool.stratum.session.SessionPorts;
import org.prismpool.stratum.session.SessionWire;
import org.prismpool.stratum.solo.FixedTip;
import org.prismpool.stratum.solo.LocalAddresses;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;

/** Spec 02 §8.6: acceptance 47. */
class IdleQueueTest {

    private final ManualClock clock = new ManualClock();
    private final RecordingMetrics metrics = new RecordingMetrics();
    private final List<CompletableFuture<JobOutcome>> building = new ArrayList<>();
    private boolean workAtHand = true;
    private boolean tipsFail;
    private final ServerContext server;
    private final IdleQueue queue;

    IdleQueueTest() {
        FixedTip tips = new FixedTip(clock);
        tips.publish(WorkedExample.parent());
        RecordingShares shares = new RecordingShares();
        VardiffPolicy policy = new VardiffPolicy(DifficultyRange.of("1", "16", "1024"), VardiffPace.defaults());
        ListenerConfig listener = ListenerConfig.plain("127.0.0.1", 0, policy.startDifficulty(), policy);
        server = new ServerContext(
                StratumConfig.of(listener).with(JobPolicy.fixed()),
                new SessionPorts(
                        new LocalAddresses(Network.REGTEST),
                        new SlowIssuer(),
                        (connection, username, job) -> Optional.empty(),
                        shares,
                        shares,
                        new Tips(tips),
                        PoolState.ALWAYS_OPEN,
                        metrics,
                        ListenerWatch.NONE,
                        clock,
                        Clock.systemUTC()));
        queue = new IdleQueue(server);
    }

    @Test
    void eightStepsWaitOrRunAndTwoRunAtATime() {
        List<Session> sessions = new ArrayList<>();
        for (int id = 1; id <= 9; id++) {
            sessions.add(session(id));
        }
        clock.advance(java.time.Duration.ofSeconds(90));
        sessions.forEach(queue::offer);
        assertThat(queue.running()).isEqualTo(2);
        assertThat(queue.queued()).isEqualTo(6);
        assertThat(metrics.count("idle-skip:QUEUE_FULL")).isEqualTo(1);

        queue.offer(sessions.get(0));
        queue.offer(sessions.get(5));
        assertThat(metrics.count("idle-skip:SUPERSEDED")).isEqualTo(2);

        building.get(0).complete(JobOutcome.DELIVERED);
        assertThat(metrics.count("idle-retarget")).isEqualTo(1);
        assertThat(queue.running()).isEqualTo(2);
        assertThat(queue.queued()).isEqualTo(5);
        queue.offer(sessions.get(8));
        assertThat(metrics.count("idle-skip:QUEUE_FULL")).isEqualTo(1);
        assertThat(queue.queued()).isEqualTo(6);
    }

    @Test
    void hundredsOfBusyAndDeadSessionsCostASweepNoJobAndNoWait() {
        List<Session> sessions = new ArrayList<>();
        for (int id = 1; id <= 300; id++) {
            sessions.add(session(id));
        }
        clock.advance(java.time.Duration.ofSeconds(90));
        sessions.subList(0, 100).forEach(session -> session.stepDownIdle((skipped, failed, delivered) -> {}));
        sessions.subList(100, 200).forEach(Session::closed);
        int before = building.size();
        sessions.forEach(queue::offer);

        assertThat(metrics.count("idle-skip:BUSY")).isEqualTo(100);
        assertThat(metrics.count("idle-skip:DISCONNECTED")).isEqualTo(100);
        assertThat(metrics.count("idle-skip:QUEUE_FULL")).isEqualTo(92);
        assertThat(building).as("jobs under way").hasSize(before + 2);
        assertThat(queue.queued()).isEqualTo(6);
    }

    @Test
    void aStepThatIsNotDueAnyMoreIsSkipped() {
        Session session = session(1);
        queue.offer(session);

        assertThat(metrics.count("idle-skip:NOT_IDLE")).isEqualTo(1);
        assertThat(queue.running()).isZero();
    }

    @Test
    void aSessionWhoseJobIsUnderWayIsBusyAndMissingWorkIsOnlyNoted() {
        Session session = session(1);
        clock.advance(java.time.Duration.ofSeconds(90));
        workAtHand = false;
        queue.offer(session);
        assertThat(metrics.count("idle-skip:CACHE_MISS"))
                .as("enqueued all the same")
                .isEqualTo(1);
        assertThat(queue.running()).isEqualTo(1);

        Session busy = session(2);
        clock.advance(java.time.Duration.ofSeconds(90));
        busy.stepDownIdle((skipped, failed, delivered) -> {});
        queue.offer(busy);
        assertThat(metrics.count("idle-skip:BUSY")).isEqualTo(1);
        assertThat(queue.running()).isEqualTo(1);
    }

    @Test
    void aStepThatFailsUnexpectedlyGivesItsPlaceBack() {
        Session session = session(1);
        clock.advance(java.time.Duration.ofSeconds(90));
        tipsFail = true;
        queue.offer(session);

        assertThat(queue.running()).isZero();
        assertThat(queue.queued()).isZero();
    }

    private Session session(long id) {
        ListenerConfig listener = server.config().listeners().get(0);
        Session session = new Session(id, (int) id, listener, server.services(), new DirectWire());
        session.opened();
        RequestParser parser = new RequestParser();
        for (String line : List.of(
                "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}",
                "{\"id\":2,\"method\":\"mining.authorize\",\"params\":[\"" + WorkedExample.USER + "\",\"x\"]}")) {
            byte[] bytes = line.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
            session.handle(parser.parse(bytes, 0, bytes.length), 0);
        }
        return session;
    }

    /** A tip that cannot be told if the test wants it so. */
    private final class Tips implements TipView {
        private final FixedTip tip;

        Tips(FixedTip tip) {
            this.tip = tip;
        }

        @Override
        public TipSnapshot snapshot() {
            if (tipsFail) {
                throw new IllegalStateException("test");
            }
            return tip.snapshot();
        }

        @Override
        public CompletionStage<Hash256> liveTip() {
            return tip.liveTip();
        }

        @Override
        public CompletionStage<Hash256> parentOf(Hash256 hash) {
            return tip.parentOf(hash);
        }
    }

    /** Delivers first jobs at once; everything else stays under way. */
    private final class SlowIssuer implements JobIssuer {
        @Override
        public InitialRequest requestInitial(StratumConnection connection, JobRequest request) {
            connection
                    .stamp(WorkedExample.workWithBits("17034219"), request)
                    .ifPresent(job -> connection.deliver(job, true));
            return InitialRequest.QUEUED;
        }

        @Override
        public boolean hasWorkAtHand(StratumConnection connection) {
            return workAtHand;
        }

        @Override
        public CompletionStage<JobOutcome> requestRetarget(StratumConnection connection, JobRequest request) {
            CompletableFuture<JobOutcome> open = new CompletableFuture<>();
            building.add(open);
            return open;
        }
    }

    /** Runs everything at once on the caller's thread. */
    private static final class DirectWire implements SessionWire {
        @Override
        public void respond(byte[] line, Runnable written) {
            written.run();
        }

        @Override
        public CompletionStage<DeliveryResult> update(
                JobContext job, boolean clean, java.util.function.BooleanSupplier stillWanted) {
            return CompletableFuture.completedFuture(DeliveryResult.WRITTEN);
        }

        @Override
        public void resume() {}

        @Override
        public boolean execute(Runnable task) {
            task.run();
            return true;
        }

        @Override
        public void schedule(Runnable task, java.time.Duration delay) {}

        @Override
        public void close(DisconnectReason reason) {}

        @Override
        public void closeAfterWrites(DisconnectReason reason) {}
    }
}

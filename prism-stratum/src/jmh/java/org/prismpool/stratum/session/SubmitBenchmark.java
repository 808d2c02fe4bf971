package org.prismpool.stratum.session;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.stratum.CommitResult;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobPolicy;
import org.prismpool.stratum.ListenerWatch;
import org.prismpool.stratum.PoolState;
import org.prismpool.stratum.RecordingShares;
import org.prismpool.stratum.SharePolicy;
import org.prismpool.stratum.ShareSink;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.TipSnapshot;
import org.prismpool.stratum.TipView;
import org.prismpool.stratum.WorkedExample;
import org.prismpool.stratum.codec.RequestParser;
import org.prismpool.stratum.solo.LocalAddresses;
import org.prismpool.stratum.solo.SoloJobs;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;

/** One submit from its bytes to the bytes of its answer: parse, header, double SHA-256, classify, encode. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SubmitBenchmark {

    private static final RequestParser PARSER = new RequestParser();

    private static final CompletionStage<CommitResult> DURABLE =
            CompletableFuture.completedFuture(new CommitResult.Durable(false));

    private Session session;
    private byte[] line;
    private int nonceAt;
    private int jobAt;
    private int counter;
    private byte[] answer = {};

    /** Creates an authorized session with a job. */
    @Setup
    public void login() {
        SharePolicy d = SharePolicy.defaults();
        StratumConfig config = StratumConfig.of(Rig.listener("0.0000000001", "0.0000000001", "1024"))
                .with(JobPolicy.fixed())
                .with(new SharePolicy(d.staleGrace(), d.tipMaxAge(), d.divergenceLease(), 0, d.duplicateCapacity()));
        SoloJobs jobs = new SoloJobs(() -> Optional.of(WorkedExample.workWithBits("1d00ffff")));
        Tip tips = new Tip();
        ShareSink shares = (share, solve) -> DURABLE;
        SessionPorts ports = new SessionPorts(
                new LocalAddresses(Network.REGTEST),
                jobs,
                jobs,
                shares,
                new RecordingShares(),
                tips,
                PoolState.ALWAYS_OPEN,
                StratumMetrics.NONE,
                ListenerWatch.NONE,
                MonotonicClock.system(),
                Clock.systemUTC());
        session = new Session(42, 42, config.listeners().get(0), new SessionServices(config, ports), new Wire());
        session.opened();
        feed("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}");
        feed("{\"id\":2,\"method\":\"mining.authorize\",\"params\":[\"" + WorkedExample.USER + "\",\"x\"]}");
        line = ("{\"id\":4,\"method\":\"mining.submit\",\"params\":[\"" + WorkedExample.USER
                        + "\",\"prism-1\",\"0102030405060708\",\"6553f105\",\"00000000\"]}")
                .getBytes(StandardCharsets.ISO_8859_1);
        nonceAt = line.length - 11;
        jobAt = new String(line, StandardCharsets.ISO_8859_1).indexOf("prism-1") + 6;
        feed("{\"id\":3,\"method\":\"mining.suggest_difficulty\",\"params\":[0.9]}");
    }

    private void feed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        session.handle(PARSER.parse(bytes, 0, bytes.length), 0);
    }

    /**
     * Handles one accepted submit.
     *
     * @return the answer
     */
    @Benchmark
    public byte[] acceptedSubmit() {
        return submit("prism-1");
    }

    /**
     * Judges one submit whose hash is above the share target: everything but the commit.
     *
     * @return the answer
     */
    @Benchmark
    public byte[] judgedSubmit() {
        return submit("prism-2");
    }

    private byte[] submit(String job) {
        int value = counter++;
        for (int i = 7; i >= 0; i--) {
            line[nonceAt + i] = (byte) "0123456789abcdef".charAt(value & 15);
            value >>>= 4;
        }
        line[jobAt] = (byte) job.charAt(job.length() - 1);
        session.handle(PARSER.parse(line, 0, line.length), 0);
        return answer;
    }

    /** A tip that costs nothing to read: what an embedding program pays for its view is not measured. */
    private static final class Tip implements TipView {
        private final TipSnapshot snapshot =
                TipSnapshot.published(WorkedExample.parent(), System.nanoTime() + (1L << 60), false);

        @Override
        public TipSnapshot snapshot() {
            return snapshot;
        }

        @Override
        public CompletionStage<Hash256> liveTip() {
            return CompletableFuture.completedFuture(WorkedExample.parent());
        }

        @Override
        public CompletionStage<Hash256> parentOf(Hash256 tip) {
            return liveTip();
        }
    }

    /** Keeps the newest answer. */
    private final class Wire implements SessionWire {
        @Override
        public void respond(byte[] bytes, Runnable written) {
            answer = bytes;
            written.run();
        }

        @Override
        public CompletionStage<DeliveryResult> update(JobContext job, boolean clean, BooleanSupplier stillWanted) {
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
        public void schedule(Runnable task, Duration delay) {}

        @Override
        public void close(DisconnectReason reason) {
            throw new IllegalStateException("closed for " + reason);
        }

        @Override
        public void closeAfterWrites(DisconnectReason reason) {
            close(reason);
        }
    }
}

package org.prismpool.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/** The example of the README: work is a string, and so is a client's job. */
class EmbeddingExampleTest {

    private static final WorkKey KEY = new WorkKey("tip 1", "template 1", 1, 1, "balances", 0, false, 0);

    @Test
    void aClientGetsItsFirstJobAndAFanoutBringsTheNext() throws Exception {
        DeliveryGate openGate = (generation, priority) -> new DeliveryGate.Admitted(delivered -> {});
        // example:start
        try (JobDelivery<String, String> delivery =
                JobDelivery.create(DeliveryConfig.defaults(), DeliveryPorts.of(new Pool(), openGate))) {
            delivery.start();
            Client client = new Client();
            delivery.connected(client);

            delivery.requestFirstJob(1); // subscribed and authorized
            await().atMost(Duration.ofSeconds(10)).until(() -> client.received.size() == 1);
            assertThat(client.received.get(0).clean()).isTrue();

            PreparedWork<String> next = new PreparedWork<>(
                    new WorkKey("tip 2", "template 2", 2, 1, "balances", 0, false, 0), "work on tip 2");
            FanoutSummary summary = delivery.fanOut(new FanoutCall<>(
                    List.of(new FanoutCall.Item<>(
                            1, Optional.of(client.received.get(0).id()), next)),
                    16,
                    new Checks(),
                    CancelSignal.never(),
                    Deadline.after(Duration.ofSeconds(90), MonotonicClock.system(), "pass")));
            assertThat(summary.sent()).isEqualTo(1);

            String job = client.received.get(1).id(); // a submit names it
            assertThat(delivery.find(1, job, "worker")).isPresent();
            client.loop.shutdown();
        }
        // example:end
    }

    private static final class Client implements JobTarget<String, String> {
        private final ExecutorService loop = Executors.newSingleThreadExecutor();
        private final List<IssuedJob<String>> received = new CopyOnWriteArrayList<>();

        @Override
        public TargetState state() {
            return new TargetState(1, new Generations(1, 0, "worker"), true, false, 1_000);
        }

        @Override
        public void execute(Runnable task) {
            loop.execute(task);
        }

        @Override
        public String stamp(PreparedWork<String> work, String jobId, boolean clean) {
            return work.work() + " as " + jobId;
        }

        @Override
        public CompletionStage<Boolean> send(IssuedJob<String> job, BooleanSupplier stillWanted) {
            received.add(job);
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public void disconnect(DisconnectReason reason) {
            loop.shutdown();
        }
    }

    private static final class Pool implements CurrentWork<String> {
        @Override
        public CurrentState state() {
            return new CurrentState(
                    Optional.empty(),
                    true,
                    Optional.empty(),
                    new CurrentState.Payout(1, Optional.of("balances"), 0),
                    true,
                    Optional.empty());
        }

        @Override
        public Answer<String> prepare(Request request, Deadline deadline, CancelSignal cancel) {
            return new Ready<>(new PreparedWork<>(KEY, "work on tip 1"));
        }

        @Override
        public LiveTip probe(PreparedWork<String> work, Deadline deadline) {
            return LiveTip.EXTENDS_BEST;
        }

        @Override
        public Optional<PreparedWork<String>> sameWithNewestTime(Request request, WorkKey key, Deadline deadline) {
            return Optional.empty();
        }
    }

    private static final class Checks implements FanoutCall.FanoutChecks {
        @Override
        public boolean current() {
            return true;
        }

        @Override
        public void progress() {
            // nobody watches
        }

        @Override
        public Optional<String> liveCheck(boolean beforeSubmission) {
            return Optional.empty();
        }
    }

    @Test
    void theReadmeShowsExactlyThis() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        int from = readme.indexOf("```java\n") + "```java\n".length();
        String shown = readme.substring(from, readme.indexOf("\n```", from));
        String source = Files.readString(Path.of("src/test/java/org/prismpool/delivery/EmbeddingExampleTest.java"));

        assertThat(onOneLine(source)).contains(onOneLine(shown));
    }

    private static String onOneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}

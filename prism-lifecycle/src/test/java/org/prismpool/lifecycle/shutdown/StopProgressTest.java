package org.prismpool.lifecycle.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.MonotonicClock;

@Timeout(60)
class StopProgressTest {

    private final ShutdownController controller = new ShutdownController(
            ShutdownConfig.defaults(), LeasePort.none(), MonotonicClock.system(), LifecycleEvents.none());
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Test
    void aLineTellsPhaseElapsedTimeAndOpenWriters() {
        controller.reserve(WriterComponent.SHARE_SUBMISSION);
        controller.reserve(WriterComponent.SHARE_PERSISTENCE);
        controller.reserve(WriterComponent.SHARE_PERSISTENCE);

        assertThat(StopProgress.line(controller.snapshot(), Duration.ofMillis(3_250)))
                .isEqualTo("running, 3.3 s, waits for share_persistence 2, share_submission 1");
    }

    @Test
    void withoutOpenWritersNothingIsWaitedFor() {
        controller.request(OptionalInt.of(15));

        assertThat(StopProgress.line(controller.snapshot(), Duration.ofSeconds(61)))
                .isEqualTo("requested, 61.0 s");
    }

    @Test
    void itTellsWhileAWriterHoldsTheStopAndFallsSilentAfterIt() throws Exception {
        WriterTicket ticket = controller.reserve(WriterComponent.SHARE_PERSISTENCE);
        CompletableFuture<ShutdownReport> stopped = new CompletableFuture<>();
        Thread owner = new Thread(() -> stopped.complete(controller.shutdown("serve_exit")), "test-stop");
        owner.setDaemon(true);
        owner.start();
        StopProgress progress = StopProgress.start(
                controller, new ManualClock(), Duration.ofMillis(5), "test-stop-progress", lines::add);

        await("two lines")
                .until(() -> lines.stream()
                                .filter(line -> line.equals("quiescing writers, 0.0 s, waits for share_persistence 1"))
                                .count()
                        >= 2);
        ticket.close();
        assertThat(stopped.get().released()).isTrue();
        progress.close();
        int told = lines.size();

        await("silence").during(Duration.ofMillis(50)).until(() -> lines.size() == told);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("test-stop-progress"));
    }

    @Test
    void aShortStopTellsNothing() {
        StopProgress.start(controller, MonotonicClock.system(), "test-short-stop", lines::add)
                .close();

        assertThat(lines).isEmpty();
    }
}

package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Tells once a second where a stop is, how long it has taken and which writers it waits for; a stop of less than a second tells
 * nothing.
 *
 * <p>Owns one daemon thread from {@link #start} to {@link #close()}, which the thread that stops the process calls. Source: spec 08
 * section 8.3.
 */
public final class StopProgress implements AutoCloseable {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final double MILLIS_PER_SECOND = 1000.0;
    private static final Duration JOIN = Duration.ofSeconds(1);

    private final ShutdownController controller;
    private final MonotonicClock clock;
    private final Duration period;
    private final Consumer<String> lines;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;
    private final long startNanos;

    private StopProgress(
            ShutdownController controller,
            MonotonicClock clock,
            Duration period,
            String threadName,
            Consumer<String> lines) {
        this.controller = Objects.requireNonNull(controller, "controller");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.period = period;
        this.lines = Objects.requireNonNull(lines, "lines");
        this.startNanos = clock.nanoTime();
        this.thread = new Thread(this::tell, threadName);
        this.thread.setDaemon(true);
    }

    /**
     * Starts to tell.
     *
     * @param controller whose state is told
     * @param clock monotonic clock of the elapsed time
     * @param threadName name of the thread, for example {@code prism-stop-progress}
     * @param lines takes one line without a line break; called on that thread, may be slow
     * @return the teller; the caller closes it when everything is stopped
     */
    public static StopProgress start(
            ShutdownController controller, MonotonicClock clock, String threadName, Consumer<String> lines) {
        return start(controller, clock, PERIOD, threadName, lines);
    }

    static StopProgress start(
            ShutdownController controller,
            MonotonicClock clock,
            Duration period,
            String threadName,
            Consumer<String> lines) {
        StopProgress progress = new StopProgress(controller, clock, period, threadName, lines);
        progress.thread.start();
        return progress;
    }

    private void tell() {
        try {
            while (!over.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
                lines.accept(line(controller.snapshot(), Duration.ofNanos(clock.nanoTime() - startNanos)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The line of one second, for example {@code quiescing writers, 2.0 s, waits for share_persistence 1}. */
    static String line(ShutdownSnapshot now, Duration elapsed) {
        String phase = now.phase().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String seconds = String.format(Locale.ROOT, "%.1f s", elapsed.toMillis() / MILLIS_PER_SECOND);
        Optional<String> open = Optional.of(now.openWriters().entrySet().stream()
                        .map(each -> each.getKey().name() + " " + each.getValue())
                        .collect(Collectors.joining(", ")))
                .filter(names -> !names.isEmpty());
        return phase + ", " + seconds
                + open.map(names -> ", waits for " + names).orElse("");
    }

    /** Stops telling; waits a second at most for a line that is being told. */
    @Override
    public void close() {
        over.countDown();
        try {
            thread.join(JOIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

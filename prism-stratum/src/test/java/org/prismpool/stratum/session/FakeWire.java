package org.prismpool.stratum.session;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.codec.ParsedLine;
import org.prismpool.stratum.codec.RequestParser;

/** A connection without a socket: keeps what the session sends, and feeds it lines as the transport would. */
final class FakeWire implements SessionWire {

    private static final RequestParser PARSER = new RequestParser();

    final List<String> sent = new ArrayList<>();
    final List<JobContext> jobs = new ArrayList<>();
    final List<Boolean> cleanFlags = new ArrayList<>();
    final Deque<Runnable> scheduled = new ArrayDeque<>();
    private final Deque<String> incoming = new ArrayDeque<>();

    @Nullable Session session;

    @Nullable DisconnectReason closed;

    boolean failWrites;
    boolean slow; // answers stay in the buffer until writeEverything
    private final Deque<Runnable> unwritten = new ArrayDeque<>();

    void feed(String line) {
        incoming.add(line);
        pump();
    }

    private void pump() {
        Session target = session;
        while (target != null && closed == null && !incoming.isEmpty() && target.acceptsLine()) {
            byte[] bytes = incoming.remove().getBytes(StandardCharsets.UTF_8);
            ParsedLine line = PARSER.parse(bytes, 0, bytes.length);
            target.handle(line, 0);
        }
    }

    String last() {
        return sent.get(sent.size() - 1);
    }

    JobContext lastJob() {
        return jobs.get(jobs.size() - 1);
    }

    Optional<DisconnectReason> closedFor() {
        return Optional.ofNullable(closed);
    }

    void runScheduled() {
        List<Runnable> due = new ArrayList<>(scheduled);
        scheduled.clear();
        due.forEach(Runnable::run);
    }

    void writeEverything() {
        while (!unwritten.isEmpty()) {
            unwritten.remove().run();
        }
    }

    @Override
    public void respond(byte[] line, Runnable written) {
        sent.add(new String(line, StandardCharsets.ISO_8859_1));
        if (slow) {
            unwritten.add(written);
        } else {
            written.run();
        }
    }

    @Override
    public CompletionStage<DeliveryResult> update(JobContext job, boolean clean, BooleanSupplier stillWanted) {
        if (failWrites || closed != null) {
            return CompletableFuture.completedFuture(DeliveryResult.CLOSED);
        }
        jobs.add(job);
        cleanFlags.add(clean);
        sent.addAll(new String(job.update(clean), StandardCharsets.ISO_8859_1)
                .lines()
                .map(line -> line + "\n")
                .toList());
        return CompletableFuture.completedFuture(DeliveryResult.WRITTEN);
    }

    @Override
    public void resume() {
        pump();
    }

    @Override
    public boolean execute(Runnable task) {
        task.run();
        return true;
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        scheduled.add(task);
    }

    @Override
    public void close(DisconnectReason reason) {
        if (closed == null) {
            closed = reason;
            if (session != null) {
                session.closed();
            }
        }
    }

    @Override
    public void closeAfterWrites(DisconnectReason reason) {
        close(reason);
    }
}

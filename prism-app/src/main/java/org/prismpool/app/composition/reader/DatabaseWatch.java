package org.prismpool.app.composition.reader;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.event.OutageLog;
import org.prismpool.lifecycle.service.LoopBody;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.read.ReplicaProbe;
import org.prismpool.sharewriter.read.ReplicaState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Knows how the database behind public answers is: asks it again and again, and once more when an answer fails.
 *
 * <p>Thread-safe. What is known is one immutable snapshot, written by the one who asks; readers never wait, and whoever wants to
 * ask meanwhile waits for that answer.
 * Source: spec 06 §9.1.
 */
public final class DatabaseWatch {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseWatch.class);
    private static final Duration ANSWER = Duration.ofSeconds(3);
    /** An answer this young still speaks for a request that failed just now. */
    private static final Duration YOUNG = Duration.ofMillis(200);

    private final ReplicaProbe probe;
    private final Freshness wanted;
    private final Duration interval;
    private final MonotonicClock clock;
    private final OutageLog outages = new OutageLog(LOG, "backend");
    private final AtomicReference<@Nullable CompletableFuture<Boolean>> question = new AtomicReference<>(); // under way
    private volatile Optional<Asked> last = Optional.empty();

    /** Outcome of the newest question. */
    private record Asked(Optional<ReplicaState> good, long goodNanos, Optional<String> failure, long nanos) {}

    /**
     * Creates a watch that knows nothing yet.
     *
     * @param probe asks the database
     * @param wanted what it must be
     * @param interval time between two questions, more than zero
     * @param clock of ages and of the limit of a question
     */
    public DatabaseWatch(ReplicaProbe probe, Freshness wanted, Duration interval, MonotonicClock clock) {
        this.probe = probe;
        this.wanted = wanted;
        this.interval = interval;
        this.clock = clock;
    }

    /**
     * Describes the service that asks.
     *
     * @return its loop and thread
     */
    public ServiceSpec service() {
        return ServiceSpec.of(
                        "public_database_watch", "prism-public-database-watch", LoopBody.every(interval, this::ask))
                .unwatched()
                .withJoinBound(ANSWER.plusSeconds(1));
    }

    /**
     * Asks the database now, at most 3 s long.
     *
     * @return what follows
     */
    public DatabaseVerdict ask() {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> running = question.compareAndExchange(null, mine);
        if (running == null) {
            try {
                askNow();
            } finally {
                question.set(null);
                mine.complete(true);
            }
        } else {
            await(running);
        }
        return verdict();
    }

    private static void await(CompletableFuture<Boolean> running) {
        try {
            running.get(ANSWER.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException late) {
            LOG.debug("the database is still being asked", late); // what is known until then holds
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Asks the database unless that was done within the last 200 ms.
     *
     * @return what follows
     */
    public DatabaseVerdict confirm() {
        boolean young =
                last.map(asked -> age(asked.nanos()).compareTo(YOUNG) <= 0).orElse(false);
        return young ? verdict() : ask();
    }

    private void askNow() {
        try {
            ReplicaState said = probe.probe(Deadline.after(ANSWER, clock, "public-database-watch"));
            long now = clock.nanoTime();
            last = Optional.of(new Asked(Optional.of(said), now, Optional.empty(), now));
            outages.answered("database", "the database answers again");
        } catch (LedgerException failed) {
            long now = clock.nanoTime();
            last = Optional.of(new Asked(
                    last.flatMap(Asked::good),
                    last.map(Asked::goodNanos).orElse(now),
                    Optional.of(String.valueOf(failed.getMessage())),
                    now));
            outages.failed(Level.WARN, "database", "the database does not answer", failed);
        }
    }

    /**
     * Judges what is known, from memory.
     *
     * @return what follows for answers
     */
    public DatabaseVerdict verdict() {
        return DatabaseVerdict.of(known(), wanted);
    }

    /**
     * Returns what the database last said of itself.
     *
     * @return its last answer, empty before the first
     */
    public Optional<ReplicaState> said() {
        return last.flatMap(Asked::good);
    }

    private DatabaseVerdict.Known known() {
        return last.map(asked -> new DatabaseVerdict.Known(asked.good(), age(asked.goodNanos()), asked.failure()))
                .orElseGet(() -> new DatabaseVerdict.Known(Optional.empty(), Duration.ZERO, Optional.empty()));
    }

    private Duration age(long sinceNanos) {
        return Duration.ofNanos(clock.nanoTime() - sinceNanos);
    }
}

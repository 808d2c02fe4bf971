package org.prismpool.app.composition.work;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;

/**
 * The node's best block, asked once for everyone who wants to know it at the same time: a herd of first jobs costs the node
 * one call for each 50 ms instead of one call for each miner.
 *
 * <p>Thread-safe; blocks the caller for at most one call.
 */
final class WorkTipProbe {

    private static final Duration FRESH = Duration.ofMillis(50);

    private final Function<Deadline, Answer> node;
    private final MonotonicClock clock;
    private Optional<Asked> newest = Optional.empty(); // guarded by this

    /**
     * What the node said.
     *
     * @param best its best block
     * @param sequence reserved before the node was asked
     */
    record Answer(Hash256 best, long sequence) {}

    private record Asked(long startedNanos, CompletableFuture<Answer> answer) {}

    /**
     * Creates a probe.
     *
     * @param node asks the node; may fail with any runtime exception
     */
    WorkTipProbe(Function<Deadline, Answer> node, MonotonicClock clock) {
        this.node = node;
        this.clock = clock;
    }

    /**
     * Asks, or joins a question that was asked at most 50 ms ago.
     *
     * @param deadline bound of the call
     * @return the answer, or empty if the node did not answer in time
     * @throws InterruptedException if interrupted while joined to the question of another
     */
    Optional<Answer> ask(Deadline deadline) throws InterruptedException {
        Asked mine = new Asked(clock.nanoTime(), new CompletableFuture<>());
        Optional<Asked> joined;
        synchronized (this) {
            joined = newest.filter(asked -> mine.startedNanos() - asked.startedNanos() <= FRESH.toNanos()
                    && !asked.answer().isCompletedExceptionally());
            if (joined.isEmpty()) {
                newest = Optional.of(mine);
            }
        }
        return joined.isPresent() ? join(joined.get(), deadline) : Optional.of(call(mine, deadline));
    }

    private Answer call(Asked mine, Deadline deadline) {
        try {
            Answer answer = node.apply(deadline);
            mine.answer().complete(answer);
            return answer;
        } catch (RuntimeException failed) {
            mine.answer().completeExceptionally(failed);
            throw failed;
        }
    }

    private static Optional<Answer> join(Asked asked, Deadline deadline) throws InterruptedException {
        try {
            return Optional.of(asked.answer().get(Math.max(1L, deadline.remainingNanos()), TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException noAnswer) {
            return Optional.empty(); // who asked reports why
        }
    }
}

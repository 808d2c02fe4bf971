package org.prismpool.sharewriter.internal;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.prismpool.sharewriter.read.MinerReads.WorkerFilter;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.WorkerBoard;
import org.prismpool.sharewriter.read.WorkerBoard.Worker;

/** Adds up what a miner's usernames did: several may stand for one worker. Confined to one thread. */
public final class WorkerTally {

    private static final Duration ACTIVE = Duration.ofMinutes(10);

    private final String recipientId;
    private final Instant asOf;
    private final Map<String, Worker> workers = new TreeMap<>();

    /**
     * Creates an empty tally.
     *
     * @param recipientId miner
     * @param asOf moment of the read
     */
    public WorkerTally(String recipientId, Instant asOf) {
        this.recipientId = recipientId;
        this.asOf = asOf;
    }

    /**
     * Adds the work of a username.
     *
     * @param username stratum username
     * @param lastShareAt acceptance of its newest share
     * @param difficulty60s accepted difficulty of the last minute
     * @param difficulty3h accepted difficulty of the last three hours
     */
    public void add(String username, Instant lastShareAt, BigInteger difficulty60s, BigInteger difficulty3h) {
        String name = ShareNames.worker(recipientId, username);
        Worker fresh = new Worker(name, active(lastShareAt), lastShareAt, difficulty60s, difficulty3h);
        workers.merge(name, fresh, WorkerTally::both);
    }

    private boolean active(Instant lastShareAt) {
        return !lastShareAt.isBefore(asOf.minus(ACTIVE));
    }

    private static Worker both(Worker a, Worker b) {
        return new Worker(
                a.name(),
                a.active() || b.active(),
                a.lastShareAt().isAfter(b.lastShareAt()) ? a.lastShareAt() : b.lastShareAt(),
                a.difficulty60s().add(b.difficulty60s()),
                a.difficulty3h().add(b.difficulty3h()));
    }

    /**
     * Lists the workers.
     *
     * @param filter which of them
     * @param page page of those
     * @return active ones first, then by name
     */
    public WorkerBoard board(WorkerFilter filter, PageRequest page) {
        List<Worker> listed = workers.values().stream()
                .filter(worker -> Pages.matches(worker.name(), filter.search()))
                .filter(worker -> worker.active() || !filter.activeOnly())
                .sorted(Comparator.comparing((Worker worker) -> !worker.active())) // stable: names stay in order
                .toList();
        Paged<Worker> cut = Pages.cut(listed, page);
        long active = workers.values().stream().filter(Worker::active).count();
        return new WorkerBoard(asOf, cut.totalCount(), active, cut.rows());
    }
}

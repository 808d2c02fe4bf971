package org.prismpool.stratum;

/** What became of a share given to {@link ShareSink#commit}. */
public sealed interface CommitResult {

    /**
     * The share is durable.
     *
     * @param blockDecided whether the solve that came with it was already settled before, so that it is not offered again
     */
    record Durable(boolean blockDecided) implements CommitResult {}

    /**
     * The ledger already held this share; it is acknowledged but counted nowhere.
     *
     * @param blockDecided as for {@link Durable}
     */
    record Existing(boolean blockDecided) implements CommitResult {}

    /** The commit queue is full; nothing was stored. */
    record QueueFull() implements CommitResult {}

    /**
     * The share is not known to be durable.
     *
     * @param detail what went wrong, fit for a miner to read
     * @param offerSolve whether a solve that came with it is to be offered all the same; false after a lost writer lease
     *     or an identity conflict
     */
    record Failed(String detail, boolean offerSolve) implements CommitResult {}

    /** The program is stopping and admits no more writes. */
    record ShuttingDown() implements CommitResult {}
}

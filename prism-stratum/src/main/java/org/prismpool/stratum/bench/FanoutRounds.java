package org.prismpool.stratum.bench;

/** The round that clients count for. Thread-safe; one thread begins rounds. */
final class FanoutRounds {

    private volatile FanoutRound current = new FanoutRound(0);

    FanoutRound current() {
        return current;
    }

    /** Begins a round; the one before must be over. */
    FanoutRound begin(int clients) {
        FanoutRound next = new FanoutRound(clients);
        current = next;
        return next;
    }
}

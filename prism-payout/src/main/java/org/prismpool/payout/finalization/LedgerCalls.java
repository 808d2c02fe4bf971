package org.prismpool.payout.finalization;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.finalization.FinalizerMetrics.CallClass;
import org.prismpool.templates.chain.Hash256;

/**
 * Gives ledger calls their budgets (spec 06 §6.3): outbox calls the fast one, landing calls the long one from the first
 * attempt, doubled for a hash with every ledger timeout of that hash. Confined to the finalizer's thread.
 */
final class LedgerCalls {

    private static final int MAX_DOUBLINGS = 8;

    private final FinalizerConfig config;
    private final MonotonicClock clock;
    private final FinalizerMetrics metrics;
    private final Map<Hash256, Integer> timeouts = new HashMap<>();

    LedgerCalls(FinalizerConfig config, MonotonicClock clock, FinalizerMetrics metrics) {
        this.config = config;
        this.clock = clock;
        this.metrics = metrics;
    }

    void fast(Consumer<Deadline> call) {
        measured(CallClass.FAST, config.fastTimeout(), deadline -> {
            call.accept(deadline);
            return true;
        });
    }

    void landing(Hash256 hash, Consumer<Deadline> call) {
        landingValue(hash, deadline -> {
            call.accept(deadline);
            return true;
        });
    }

    <T> T landingValue(Hash256 hash, Function<Deadline, T> call) {
        try {
            return measured(CallClass.LANDING, landingBudget(hash), call);
        } catch (LedgerTimeoutException timeout) {
            timeouts.merge(hash, 1, Integer::sum);
            throw timeout;
        }
    }

    Duration landingBudget(Hash256 hash) {
        int doublings = Math.min(timeouts.getOrDefault(hash, 0), MAX_DOUBLINGS);
        Duration cap = max(config.landingTimeout(), config.landingTimeoutMax());
        Duration wanted = config.landingTimeout().multipliedBy(1L << doublings);
        return wanted.compareTo(cap) < 0 ? wanted : cap;
    }

    void forget(Hash256 hash) {
        timeouts.remove(hash);
    }

    private <T> T measured(CallClass callClass, Duration budget, Function<Deadline, T> call) {
        long started = clock.nanoTime();
        boolean timedOut = false;
        try {
            return call.apply(Deadline.after(budget, clock, "block_ledger"));
        } catch (LedgerTimeoutException timeout) {
            timedOut = true;
            throw timeout;
        } finally {
            metrics.ledgerCall(callClass, budget.toNanos(), clock.nanoTime() - started, timedOut);
        }
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}

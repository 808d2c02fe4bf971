package org.prismpool.refresh.internal;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The pending token: each producer installs a new number, the newest wins, and only the pass that owns the newest may
 * clear it (spec 07 §2.8). Thread-safe and lock-free; the state is one immutable record.
 */
public final class PendingRefresh {

    /** Newest number ever installed, and whether it is still pending. */
    private record State(long newest, boolean pending, long sinceNanos) {}

    private final AtomicReference<State> state = new AtomicReference<>(new State(0, false, 0));

    /** Creates a clear token. */
    public PendingRefresh() {}

    /**
     * Installs a new token.
     *
     * @param nowNanos monotonic now; the pending clock keeps its first instant while pending
     * @return the new number
     */
    public long install(long nowNanos) {
        return state.updateAndGet(s -> new State(s.newest + 1, true, s.pending ? s.sinceNanos : nowNanos)).newest;
    }

    /**
     * Returns a snapshot of the newest number, pending or not.
     *
     * @return the claim
     */
    public long claim() {
        return read().newest;
    }

    /**
     * Installs a token for the pass itself, unless a producer was there since its claim.
     *
     * @param claimed the pass's claim
     * @param nowNanos monotonic now
     * @return the claim to go on with: the new number, or the old one if a newer producer exists
     */
    public long installUnlessNewer(long claimed, long nowNanos) {
        while (true) {
            State seen = read();
            if (seen.newest != claimed) {
                return claimed;
            }
            State next = new State(claimed + 1, true, seen.pending ? seen.sinceNanos : nowNanos);
            if (state.compareAndSet(seen, next)) {
                return next.newest;
            }
        }
    }

    /**
     * Tells whether a claim is still the newest.
     *
     * @param claimed the claim
     * @return false once another producer installed a token
     */
    public boolean owns(long claimed) {
        return read().newest == claimed;
    }

    /**
     * Clears the token if the claim is still the newest.
     *
     * @param claimed the claim
     * @return whether it was cleared (or was clear already)
     */
    public boolean clear(long claimed) {
        while (true) {
            State seen = read();
            if (seen.newest != claimed) {
                return false;
            }
            if (!seen.pending || state.compareAndSet(seen, new State(claimed, false, 0))) {
                return true;
            }
        }
    }

    /**
     * Tells whether a refresh is pending.
     *
     * @return true while the newest token is not cleared
     */
    public boolean pending() {
        return read().pending;
    }

    /**
     * Returns the newest pending number.
     *
     * @return empty when clear
     */
    public OptionalLong newestPending() {
        State seen = read();
        return seen.pending ? OptionalLong.of(seen.newest) : OptionalLong.empty();
    }

    /**
     * Returns since when a refresh is pending.
     *
     * @return monotonic instant of the first unresolved change; empty when clear
     */
    public OptionalLong sinceNanos() {
        State seen = read();
        return seen.pending ? OptionalLong.of(seen.sinceNanos) : OptionalLong.empty();
    }

    private State read() {
        return Objects.requireNonNull(state.get());
    }
}

package org.prismpool.refresh.internal;

import org.prismpool.refresh.DetectedTip;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.templates.chain.Hash256;

/** Runs the observation step and its effects. Thread-safe: any number of observers, ordered by their sequences. */
final class TipObserver<T, W> {

    static final String TIP_SUPERSEDED = "chain tip superseded";

    private final RefreshCore<T, W> core;

    TipObserver(RefreshCore<T, W> core) {
        this.core = core;
    }

    /**
     * Observes a hash.
     *
     * @param markPending whether an unresolved change installs a pending token and latches a retry
     * @return true iff the observation stands: it is the newest, or agrees with the newest
     */
    boolean observe(Hash256 hash, long sequence, boolean markPending) {
        core.tell("tipSeen", () -> core.companions.candidates().tipSeen(hash));
        TipObservation<T, W> step = step(hash, sequence);
        core.cancelFanout(step.obsolete(), TIP_SUPERSEDED);
        if (step.changed()) {
            tipChanged(hash, sequence);
        }
        step.minted().ifPresent(this::minted);
        if (markPending && (step.changed() || (step.unresolved() && !core.pending.pending()))) {
            core.demand();
        }
        return step.agrees();
    }

    private TipObservation<T, W> step(Hash256 hash, long sequence) {
        AuthorityCell<T, W> cell = core.authority;
        long now = core.now();
        while (true) {
            WorkAuthority<T, W> seen = cell.get();
            long generation = core.payout().generation();
            TipObservation<T, W> step = TipObservation.of(
                    seen, new TipObservation.Sight(hash, sequence, now, generation, core.epochMode()));
            if (Identity.same(step.next(), seen) || cell.compareAndSet(seen, step.next())) {
                return step;
            }
        }
    }

    private void tipChanged(Hash256 hash, long sequence) {
        core.tell("keepOnly", () -> core.companions.reconciliation().keepOnly(hash));
        core.tell("tipDetected", () -> core.ports.gate().tipDetected(new DetectedTip(hash, sequence)));
        core.tell("cancelObsolete", () -> core.ports.builder().cancelObsolete(this::wanted, TIP_SUPERSEDED));
        core.tell("refreshPending", () -> core.companions.listener().refreshPending());
        core.tell("tipDetected", () -> core.companions.listener().tipDetected(hash));
    }

    private boolean wanted(Hash256 parent) {
        return core.authority.get().newestKnownTip().filter(parent::equals).isPresent();
    }

    private void minted(RefreshEpoch epoch) {
        core.tell("epochMinted", () -> core.companions.listener().epochMinted(epoch));
    }
}

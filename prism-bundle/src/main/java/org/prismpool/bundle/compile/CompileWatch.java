package org.prismpool.bundle.compile;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.prismpool.bundle.BuildPhase;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.BuildObserver;

/**
 * Stops an in-process compile: at every phase boundary, while it reads its shares every 256 of them, and between the pages of
 * shares that it digests. Confined to the
 * thread of one compile.
 */
final class CompileWatch implements BuildObserver {

    private static final int STRIDE = 256;

    private final Deadline deadline;
    private final CancelSignal cancel;
    private final CompileProgress progress;
    private final MonotonicClock clock;
    private long beganNanos;

    CompileWatch(Deadline deadline, CancelSignal cancel, CompileProgress progress, MonotonicClock clock) {
        this.deadline = deadline;
        this.cancel = cancel;
        this.progress = progress;
        this.clock = clock;
    }

    @Override
    public void phaseBegan(org.prismpool.payout.audit.BuildPhase phase) {
        check(phase.text());
        beganNanos = clock.nanoTime();
    }

    @Override
    public void phaseEnded(org.prismpool.payout.audit.BuildPhase phase) {
        progress.phase(label(phase), clock.nanoTime() - beganNanos);
        check(phase.text());
    }

    /** Between pages of shares inside a digest, where a large window spends most of its time. */
    @Override
    public void checkpoint() {
        check("manifest_digest");
    }

    void check(String checkpoint) {
        progress.checkpoint(checkpoint);
        cancel.throwIfCancelled();
        deadline.check(HelperProcess.PHASE);
    }

    /** Returns the same elements; reading them notices a cancellation. */
    <T> List<T> watched(List<T> elements) {
        return new Watched<>(elements);
    }

    private static BuildPhase label(org.prismpool.payout.audit.BuildPhase phase) {
        return switch (phase) {
            case PAYOUT_STATE_DERIVATION -> BuildPhase.PAYOUT_STATE_DERIVATION;
            case CTV_MANIFEST_CONSTRUCTION -> BuildPhase.CTV_MANIFEST_CONSTRUCTION;
            case COINBASE_BUNDLE_CONSTRUCTION -> BuildPhase.COINBASE_BUNDLE_CONSTRUCTION;
            case SIGNING_VERIFICATION -> BuildPhase.SIGNING_VERIFICATION;
        };
    }

    private final class Watched<T> extends AbstractList<T> implements RandomAccess {
        private final List<T> elements;
        private int reads;

        private Watched(List<T> elements) {
            this.elements = elements;
        }

        @Override
        public T get(int index) {
            if ((++reads & (STRIDE - 1)) == 0) {
                check("ledger_snapshot_conversion");
            }
            return elements.get(index);
        }

        @Override
        public int size() {
            return elements.size();
        }
    }
}

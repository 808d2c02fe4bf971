package org.prismpool.refresh.internal;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.prismpool.refresh.WorkAuthority;

/** The one place of the authority: swapped as a whole, by compare-and-set. Thread-safe and lock-free. */
final class AuthorityCell<T, W> {

    private final AtomicReference<WorkAuthority<T, W>> cell = new AtomicReference<>(WorkAuthority.empty());

    WorkAuthority<T, W> get() {
        return Objects.requireNonNull(cell.get());
    }

    boolean compareAndSet(WorkAuthority<T, W> seen, WorkAuthority<T, W> next) {
        return cell.compareAndSet(seen, next);
    }

    /** Applies a pure change; it runs again if somebody else was faster. */
    void update(UnaryOperator<WorkAuthority<T, W>> change) {
        cell.updateAndGet(change);
    }
}

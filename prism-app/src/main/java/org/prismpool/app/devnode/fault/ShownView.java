package org.prismpool.app.devnode.fault;

import java.util.function.UnaryOperator;

/** Holds the present {@link ChainView}. Thread-safe: written under its lock, read without it. */
public final class ShownView {

    private volatile ChainView current = ChainView.healthy();

    /** Creates a holder that shows a healthy node. */
    public ShownView() {}

    /**
     * Returns the present view.
     *
     * @return the view
     */
    public ChainView get() {
        return current;
    }

    /**
     * Changes the view.
     *
     * @param change from the present view to the next one
     */
    public synchronized void update(UnaryOperator<ChainView> change) {
        current = change.apply(current);
    }
}

package org.prismpool.app.metrics;

import org.prismpool.lifecycle.metrics.MetricSource;

/**
 * A source that is one action.
 *
 * @param owner whose numbers they are
 * @param show sets the series
 * @param failed sets what is shown instead when that failed
 */
record Reading(String owner, Runnable show, Runnable failed) implements MetricSource {

    /** A source whose last values stay when it cannot be read. */
    static Reading of(String owner, Runnable show) {
        return new Reading(owner, show, () -> {});
    }

    @Override
    public void collect() {
        show.run();
    }

    @Override
    public void unreadable() {
        failed.run();
    }
}

package org.prismpool.refresh;

import java.util.List;

/**
 * Port to job delivery.
 *
 * @param <T> the template's type
 * @param <W> the bundle's type
 */
public interface Fanout<T, W> {

    /**
     * Returns every connection that may receive jobs, with what it works on. Never blocks; callable from any thread.
     *
     * @param query the work that connections should have
     * @return the eligible connections and, for each, whether it needs that work (spec 07 §3.6)
     */
    List<FanoutTarget> select(TargetQuery query);

    /**
     * Delivers work to its targets and returns when every target has an outcome, the order was stopped, or its deadline
     * passed. Runs on the refresh owner's thread.
     *
     * @param order what to deliver to whom
     * @return what became of it
     * @throws InterruptedException if the caller is interrupted
     */
    FanoutReport deliver(FanoutOrder<T, W> order) throws InterruptedException;
}

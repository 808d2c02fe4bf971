package org.prismpool.app.composition;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.prismpool.app.http.HttpListener;
import org.prismpool.lifecycle.event.LifecycleEvent;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.executor.CloseMode;
import org.prismpool.lifecycle.shutdown.DrainStep;

/** What is closed after the lease has been given back, in the order in which it is added. One thread. */
final class StopSteps {

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final List<DrainStep> steps = new ArrayList<>();

    void addAll(List<DrainStep> more) {
        steps.addAll(more);
    }

    void add(String name, Runnable close) {
        steps.add(new DrainStep(name, CLOSE, bound -> {
            close.run();
            return true;
        }));
    }

    void add(HttpListener listener) {
        String name = listener.name().replaceFirst("^prism-", "").replace('-', '_');
        steps.add(new DrainStep(name, CLOSE, bound -> closed(listener, name)));
    }

    void add(PoolOwners owners) {
        add("tip_refresher", owners.work.refresher::close);
        add("chain_reconciler", owners.payout.reconciler::close);
        add("window_reanchor", owners.payout.reanchor::close);
        add("job_delivery", owners.work.delivery::close);
        add("stratum", owners.stratum::close);
        add("candidate_lane", owners.blocks.lane::close);
        add("block_finalizer", owners.blocks.finalizer::close);
        add("bundle_service", owners.work.bundles::close);
        add("share_writer", owners.blocks.writer::close);
        add("solve_workers", owners.solveWorkers);
        add("workers", owners.workers);
    }

    List<DrainStep> inOrder() {
        return List.copyOf(steps);
    }

    private void add(String name, BoundedPriorityExecutor executor) {
        steps.add(new DrainStep(
                name,
                CLOSE,
                bound -> executor.close(CloseMode.CANCEL_QUEUED, bound).isEmpty()));
    }

    private static boolean closed(HttpListener listener, String name) {
        listener.close();
        boolean clean = listener.state() == HttpListener.State.STOPPED;
        if (!clean) {
            LifecycleEvents.logged().tell(LifecycleEvent.of(name + "_stop", Map.of("outcome", "timeout")));
        }
        return clean;
    }
}

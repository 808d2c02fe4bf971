package org.prismpool.refresh.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.refresh.FanoutTarget;
import org.prismpool.refresh.TargetQuery;

/**
 * The connections that a pass works for, each with the job it had when it was first selected. Confined to the refresh
 * owner's thread.
 */
final class TargetSet {

    private final Map<Long, FanoutTarget> targets = new LinkedHashMap<>();
    private int eligible;

    /** Adds what a selection finds: everyone if the work changed, else those who need it. */
    void add(List<FanoutTarget> selection, boolean changed) {
        eligible = selection.size();
        for (FanoutTarget target : selection) {
            if (changed || target.needsWork()) {
                targets.putIfAbsent(target.connectionId(), target);
            }
        }
    }

    /** Starts again: the work that connections should have is another one. */
    void reset(List<FanoutTarget> selection, boolean changed) {
        targets.clear();
        add(selection, changed);
    }

    boolean isEmpty() {
        return targets.isEmpty();
    }

    boolean nobodyEligible() {
        return eligible == 0;
    }

    /**
     * Returns those who are still there and still need the work, with their jobs of before the build.
     *
     * @param selection a selection of now
     */
    Remaining remaining(List<FanoutTarget> selection) {
        Map<Long, FanoutTarget> now = new HashMap<>();
        selection.forEach(target -> now.put(target.connectionId(), target));
        List<FanoutTarget> kept = new ArrayList<>();
        int gone = 0;
        int served = 0;
        for (FanoutTarget target : targets.values()) {
            Optional<FanoutTarget> still = Optional.ofNullable(now.get(target.connectionId()));
            if (still.isEmpty()) {
                gone++;
            } else if (!still.get().needsWork()) {
                served++;
            } else {
                kept.add(target);
            }
        }
        eligible = selection.size();
        return new Remaining(kept, gone, served);
    }

    /**
     * Targets after the publication.
     *
     * @param kept to be delivered to
     * @param gone not eligible any more
     * @param served they have the work already
     */
    record Remaining(List<FanoutTarget> kept, int gone, int served) {}

    /** Asks a query's selection; a convenience that keeps the port call in one place. */
    static List<FanoutTarget> select(RefreshCore<?, ?> core, TargetQuery query) {
        return core.ports.fanout().select(query);
    }
}

package org.prismpool.lifecycle.executor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The waiting entries: one FIFO per priority. Confined to the executor's lock.
 *
 * <p>Within a lane the head has waited longest, so no other entry of the lane can have a better effective priority;
 * comparing the heads is enough.
 */
final class PriorityLanes {

    private final TreeMap<Integer, LinkedHashSet<Ticket<?>>> lanes = new TreeMap<>();
    private final long agingStepNanos; // 0: strict
    private int size;

    PriorityLanes(Duration agingStep) {
        this.agingStepNanos = agingStep.toNanos();
    }

    int size() {
        return size;
    }

    void add(Ticket<?> ticket) {
        lanes.computeIfAbsent(ticket.priority(), priority -> new LinkedHashSet<>())
                .add(ticket);
        size++;
    }

    boolean remove(Ticket<?> ticket) {
        LinkedHashSet<Ticket<?>> lane = lanes.get(ticket.priority());
        if (lane == null || !lane.remove(ticket)) {
            return false;
        }
        if (lane.isEmpty()) {
            lanes.remove(ticket.priority());
        }
        size--;
        return true;
    }

    /** Removes and returns the entry that runs next: lowest effective priority, then the earliest admission. */
    Optional<Ticket<?>> takeNext(long nowNanos) {
        Optional<Ticket<?>> best = Optional.empty();
        long bestEffective = Long.MAX_VALUE;
        for (LinkedHashSet<Ticket<?>> lane : lanes.values()) {
            Ticket<?> head = lane.iterator().next();
            long effective = effectivePriority(head, nowNanos);
            if (best.isEmpty()
                    || effective < bestEffective
                    || (effective == bestEffective
                            && head.sequence() < best.get().sequence())) {
                best = Optional.of(head);
                bestEffective = effective;
            }
        }
        best.ifPresent(this::remove);
        return best;
    }

    /** Empties the queue in the order of priorities and admissions. */
    List<Ticket<?>> removeAll() {
        List<Ticket<?>> removed = new ArrayList<>(size);
        lanes.values().forEach(removed::addAll);
        lanes.clear();
        size = 0;
        return removed;
    }

    SortedMap<Integer, Duration> oldestAges(long nowNanos) {
        TreeMap<Integer, Duration> ages = new TreeMap<>();
        for (Map.Entry<Integer, LinkedHashSet<Ticket<?>>> lane : lanes.entrySet()) {
            long queued = lane.getValue().iterator().next().queuedNanos();
            ages.put(lane.getKey(), Duration.ofNanos(Math.max(0L, nowNanos - queued)));
        }
        return ages;
    }

    private long effectivePriority(Ticket<?> ticket, long nowNanos) {
        if (agingStepNanos == 0L) {
            return ticket.priority();
        }
        long steps = Math.max(0L, nowNanos - ticket.queuedNanos()) / agingStepNanos;
        return Math.max(0L, ticket.priority() - steps);
    }
}

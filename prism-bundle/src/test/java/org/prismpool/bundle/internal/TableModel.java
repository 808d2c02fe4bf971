package org.prismpool.bundle.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.prismpool.bundle.BundleMode;

/**
 * The scheduler table of spec 07 §4.3 written a second time, as a mutable object in the words of the table, to compare
 * with the implementation after every step.
 */
final class TableModel {

    static final class Slot {
        final long id;
        final FlightKey key;
        boolean critical;
        String cancelled = "";

        Slot(long id, FlightKey key, boolean critical) {
            this.id = id;
            this.key = key;
            this.critical = critical;
        }

        boolean live() {
            return cancelled.isEmpty();
        }
    }

    Slot active;
    Slot retiring;
    Slot pending;
    final List<Long> started = new ArrayList<>();
    final Map<Long, String> resolved = new HashMap<>();
    final Map<Long, Long> joined = new HashMap<>();
    final Map<Long, Set<Long>> deferred = new HashMap<>();
    final Set<Long> rejected = new HashSet<>();

    void admit(SchedulerRequest r, boolean tipUnpublished, Set<Long> healthy) {
        if (r.idleRetarget() && tipUnpublished) {
            rejected.add(r.id());
            return;
        }
        for (Slot x : new Slot[] {active, retiring, pending}) {
            if (x != null
                    && x.live()
                    && shareable(x.key, r.key())
                    && (!r.critical() || x.critical || healthy.contains(x.id))) {
                joined.put(r.id(), x.id);
                if (r.critical()) {
                    x.critical = true;
                    if (x == pending) {
                        for (Slot o : occupants()) {
                            if (!o.critical && !shareable(o.key, r.key())) {
                                cancel(o, true);
                            }
                        }
                        promote();
                    }
                }
                return;
            }
        }
        Set<Long> criticals = new HashSet<>();
        for (Slot x : all()) {
            if (x.live() && x.critical) {
                criticals.add(x.id);
            }
        }
        if (!r.critical() && !criticals.isEmpty()) {
            deferred.put(r.id(), criticals);
            return;
        }
        if (r.key().mode() == BundleMode.COLLECTION) {
            for (Slot x : new Slot[] {pending, active, retiring}) {
                if (x != null && x.live() && x.key.mode() == BundleMode.READY && !(r.critical() && !x.critical)) {
                    deferred.put(r.id(), Set.of(x.id));
                    return;
                }
            }
        }
        Slot mine = new Slot(r.id(), r.key(), r.critical());
        if (active == null) {
            noActive(mine);
        } else if (peers(active.key, mine.key)) {
            activePeer(mine);
        } else {
            otherwise(mine);
        }
    }

    private void noActive(Slot mine) {
        boolean criticalRuns = retiring != null && retiring.live() && retiring.critical;
        if (pending != null && peers(pending.key, mine.key) && (pending.critical || !criticalRuns)) {
            Slot waiting = pending;
            pending = null;
            started.add(waiting.id);
            if (retiring == null) {
                retiring = waiting;
                active = mine;
                started.add(mine.id);
            } else {
                active = waiting;
                deferred.put(mine.id, Set.of(waiting.id, retiring.id));
            }
            return;
        }
        dropPending();
        if (retiring != null && !peers(retiring.key, mine.key)) {
            cancel(retiring, mine.critical);
        }
        active = mine;
        started.add(mine.id);
    }

    private void activePeer(Slot mine) {
        if (retiring == null) {
            retiring = active;
            active = mine;
            started.add(mine.id);
        } else if (pending == null || mine.critical) {
            dropPending();
            pending = mine;
            if (mine.critical) {
                cancelNonCritical();
            }
        } else {
            deferred.put(mine.id, Set.of(active.id, retiring.id));
        }
    }

    private void otherwise(Slot mine) {
        cancel(active, mine.critical);
        if (retiring != null) {
            cancel(retiring, mine.critical);
            dropPending();
            pending = mine;
            if (mine.critical) {
                cancelNonCritical();
            }
        } else {
            retiring = active;
            active = mine;
            started.add(mine.id);
        }
    }

    void complete(long id, boolean result) {
        Slot done =
                active != null && active.id == id ? active : retiring != null && retiring.id == id ? retiring : null;
        if (done == null) {
            return;
        }
        if (done == active) {
            active = null;
        } else {
            retiring = null;
        }
        promote();
        String how;
        if (!done.live()) {
            how = done.cancelled.equals("timeout") ? "TIMEOUT" : "SUPERSEDED";
        } else {
            how = result ? "RESULT" : "FAILURE";
        }
        resolved.put(id, how);
    }

    void cancel(Set<Long> ids, String reason) {
        if (active != null && ids.contains(active.id) && active.live()) {
            active.cancelled = reason;
        }
        if (retiring != null && ids.contains(retiring.id) && retiring.live()) {
            retiring.cancelled = reason;
        }
        if (pending != null && ids.contains(pending.id)) {
            resolved.put(pending.id, reason.equals("timeout") ? "TIMEOUT" : "SUPERSEDED");
            pending = null;
        }
    }

    private void promote() {
        if (pending == null || (active != null && retiring != null)) {
            return;
        }
        Slot occupant = active != null ? active : retiring;
        if (occupant != null && occupant.live()) {
            if (occupant.critical && !pending.critical) {
                return;
            }
            if (occupant.key.mode() == BundleMode.READY
                    && pending.key.mode() == BundleMode.COLLECTION
                    && !pending.critical) {
                return;
            }
        }
        if (occupant != null && !peers(occupant.key, pending.key)) {
            cancel(occupant, pending.critical);
        }
        retiring = occupant;
        active = pending;
        pending = null;
        started.add(active.id);
    }

    private void dropPending() {
        if (pending != null) {
            resolved.put(pending.id, "SUPERSEDED");
            pending = null;
        }
    }

    private void cancelNonCritical() {
        for (Slot o : occupants()) {
            if (!o.critical) {
                cancel(o, true);
            }
        }
    }

    private void cancel(Slot victim, boolean byCritical) {
        if (victim.live()) {
            victim.cancelled = byCritical && !victim.critical ? "publication priority" : "superseded";
        }
    }

    private List<Slot> occupants() {
        List<Slot> slots = new ArrayList<>();
        if (active != null) {
            slots.add(active);
        }
        if (retiring != null) {
            slots.add(retiring);
        }
        return slots;
    }

    private List<Slot> all() {
        List<Slot> slots = occupants();
        if (pending != null) {
            slots.add(pending);
        }
        return slots;
    }

    private static boolean shareable(FlightKey a, FlightKey b) {
        return a.equivalenceKey().equals(b.equivalenceKey())
                || (a.mode() == BundleMode.READY
                        && b.mode() == BundleMode.READY
                        && a.cacheKey().equals(b.cacheKey()));
    }

    private static boolean peers(FlightKey a, FlightKey b) {
        return a.mode() == BundleMode.COLLECTION
                && b.mode() == BundleMode.COLLECTION
                && !a.identity().equals(b.identity())
                && a.sansIdentity().equals(b.sansIdentity());
    }
}

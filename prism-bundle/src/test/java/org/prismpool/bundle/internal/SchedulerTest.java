package org.prismpool.bundle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.prismpool.bundle.BuildSource;
import org.prismpool.bundle.BundleMode;
import org.prismpool.bundle.internal.SchedulerEffect.Resolution;

class SchedulerTest {

    private SchedulerState state = SchedulerState.EMPTY;
    private final List<SchedulerEffect> effects = new ArrayList<>();
    private long next = 1;

    @Test
    void aRoutineRequestIsDeferredBehindALivePublication() {
        long publication = admit(ready("a", 1), true);

        long routine = admit(ready("b", 1), false);

        assertThat(effects).contains(new SchedulerEffect.Defer(routine, Set.of(publication)));
        assertThat(state.active().orElseThrow().id()).isEqualTo(publication);
    }

    @Test
    void aPublicationDoesNotJoinARoutineBuildThatIsAlmostOutOfTime() {
        long routine = admit(ready("a", 1), false);

        long publication = admitUnhealthy(ready("a", 1), true);

        assertThat(state.active().orElseThrow().id()).isEqualTo(publication);
        assertThat(state.retiring().orElseThrow().cancelled()).contains(Scheduler.PUBLICATION_PRIORITY);
        assertThat(state.retiring().orElseThrow().id()).isEqualTo(routine);
    }

    @Test
    void aPublicationThatJoinsARoutineBuildMakesItCritical() {
        long routine = admit(ready("a", 1), false);

        long publication = admit(ready("a", 2), true);

        assertThat(effects).contains(new SchedulerEffect.Join(publication, routine));
        assertThat(state.active().orElseThrow().critical()).isTrue();
    }

    @Test
    void aWaitingRoutineBuildStaysWaitingWhenTheRunningOneBecameCritical() {
        long first = admit(collection("alice"), false);
        admit(collection("bob"), false);
        long third = admit(collection("carol"), false);
        assertThat(state.pending().orElseThrow().id()).isEqualTo(third);
        admit(collection("bob"), true);

        complete(first);

        assertThat(state.pending().map(Flight::id)).contains(third);
        assertThat(started()).doesNotContain(third);
    }

    @Test
    void aCancelledFlightThatHasAResultIsStillSuperseded() {
        long old = admit(ready("a", 1), true);
        admit(ready("b", 1), true);

        complete(old);

        assertThat(effects).contains(new SchedulerEffect.Resolve(old, Resolution.SUPERSEDED));
    }

    @Test
    void aFlightWhoseTimeWasUpResolvesAsTimeoutEvenWithAResult() {
        long late = admit(ready("a", 1), true);
        step(new SchedulerEvent.CancelRequested(Set.of(late), Scheduler.TIMEOUT));

        complete(late);

        assertThat(effects).contains(new SchedulerEffect.Resolve(late, Resolution.TIMEOUT));
    }

    @Test
    void aWaitingFlightThatIsCancelledResolvesAtOnce() {
        admit(ready("a", 1), true);
        admit(ready("b", 1), true);
        long waiting = admit(ready("c", 1), true);

        step(new SchedulerEvent.CancelRequested(Set.of(waiting), "payout generation superseded"));

        assertThat(effects).contains(new SchedulerEffect.Resolve(waiting, Resolution.SUPERSEDED));
        assertThat(state.pending()).isEmpty();
    }

    @Test
    void collectionWorkersDoNotSupersedeEachOther() {
        long alice = admit(collection("alice"), false);
        long bob = admit(collection("bob"), false);

        assertThat(state.active().orElseThrow().id()).isEqualTo(bob);
        assertThat(state.retiring().orElseThrow().id()).isEqualTo(alice);
        assertThat(state.running()).allMatch(f -> f.cancelled().isEmpty());
    }

    @Test
    void collectionWorkWaitsBehindAReadyBuild() {
        long ready = admit(ready("a", 1), false);

        long collection = admit(collection("alice"), false);

        assertThat(effects).contains(new SchedulerEffect.Defer(collection, Set.of(ready)));
        assertThat(state.active().orElseThrow().cancelled()).isEmpty();
    }

    @Test
    void aStartFailureResolvesThePromiseItConsumedAndTheNextOneStarts() {
        long first = admit(ready("a", 1), false);
        admit(ready("b", 1), false);
        long third = admit(ready("c", 1), false);

        step(new SchedulerEvent.StartFailed(first));

        assertThat(effects).contains(new SchedulerEffect.Resolve(first, Resolution.START_FAILED));
        assertThat(started()).contains(third);
    }

    @Test
    void anOrphanIsStampedAtFirstSightAndEvictedAfterOneSecond() {
        long orphan = admit(ready("a", 1), true);
        step(new SchedulerEvent.Sweep(0, Set.of(orphan)));
        step(new SchedulerEvent.Sweep(Scheduler.ORPHAN_GRACE_NANOS - 1, Set.of(orphan)));
        assertThat(state.active()).isPresent();

        step(new SchedulerEvent.Sweep(Scheduler.ORPHAN_GRACE_NANOS, Set.of(orphan)));

        assertThat(state.active()).isEmpty();
        assertThat(effects)
                .contains(new SchedulerEffect.Evicted(orphan), new SchedulerEffect.Resolve(orphan, Resolution.RESULT));
    }

    @Test
    void aRunningFlightIsNeverSwept() {
        long running = admit(ready("a", 1), true);

        step(new SchedulerEvent.Sweep(Long.MAX_VALUE / 2, Set.of()));

        assertThat(state.active().map(Flight::id)).contains(running);
    }

    @Test
    void resolvedOccupantsBlockNobody() {
        long wedged = admit(ready("a", 1), true);
        state = state.update(wedged, Flight::resolve);

        long routine = admit(ready("b", 1), false);

        assertThat(started()).contains(routine);
    }

    private long admit(FlightKey key, boolean critical) {
        Set<Long> healthy = new HashSet<>();
        state.flights().forEach(f -> healthy.add(f.id()));
        return admit(key, critical, healthy);
    }

    private long admitUnhealthy(FlightKey key, boolean critical) {
        return admit(key, critical, Set.of());
    }

    private long admit(FlightKey key, boolean critical, Set<Long> healthy) {
        long id = next++;
        step(new SchedulerEvent.Admit(
                new SchedulerRequest(id, key, critical, BuildSource.ROUTINE, false, id), false, healthy));
        return id;
    }

    private void complete(long id) {
        step(new SchedulerEvent.Completed(id, SchedulerEvent.Ending.RESULT));
    }

    private void step(SchedulerEvent event) {
        Scheduler.Step step = Scheduler.step(state, event);
        state = step.state();
        effects.addAll(step.effects());
    }

    private List<Long> started() {
        return effects.stream()
                .filter(SchedulerEffect.Start.class::isInstance)
                .map(e -> ((SchedulerEffect.Start) e).id())
                .toList();
    }

    private static FlightKey ready(String template, int clock) {
        return new FlightKey(BundleMode.READY, template, template + clock, template + clock, Optional.empty());
    }

    private static FlightKey collection(String worker) {
        return new FlightKey(BundleMode.COLLECTION, "c-" + worker, "c-" + worker, "c", Optional.of(worker));
    }
}

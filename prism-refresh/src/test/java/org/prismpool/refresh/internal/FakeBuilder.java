package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.NullUnmarked;
import org.prismpool.refresh.BuiltWork;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WorkBuilder;
import org.prismpool.refresh.WorkIdentity;
import org.prismpool.refresh.WorkMode;
import org.prismpool.templates.chain.Hash256;

/** Builds that take simulated time and stop when cancelled. */
@NullUnmarked // test state is filled as it goes
final class FakeBuilder implements WorkBuilder<String, String> {

    /** One build under way. */
    record Build(BuildCall<String> call, WorkMode mode, CompletableFuture<BuildAnswer<String, String>> future) {}

    private final SimulatedTime time;
    private final FakeGate gate;
    final List<Build> builds = new ArrayList<>();
    Duration takes = Duration.ZERO;
    boolean hangs;
    int reservations;
    int openReservations;
    int cancelSweeps;
    OptionalLong pid = OptionalLong.empty();
    NotBuilt<String, String> failure;
    Runnable whileBuilding = () -> {};

    FakeBuilder(SimulatedTime time, FakeGate gate) {
        this.time = time;
        this.gate = gate;
    }

    @Override
    public Reservation reserve(long requestedAtNanos) {
        reservations++;
        openReservations++;
        return () -> openReservations--;
    }

    @Override
    public CompletableFuture<BuildAnswer<String, String>> ready(BuildCall<String> call) {
        return build(call, WorkMode.READY);
    }

    @Override
    public CompletableFuture<BuildAnswer<String, String>> collection(BuildCall<String> call, long connectionId) {
        return build(call, WorkMode.COLLECTION);
    }

    @Override
    public void cancelObsolete(Predicate<Hash256> wanted, String reason) {
        cancelSweeps++;
        for (Build build : List.copyOf(builds)) {
            if (!wanted.test(build.call().snapshot().parent())) {
                build.future().complete(superseded(reason));
            }
        }
    }

    @Override
    public OptionalLong helperPid() {
        return pid;
    }

    int running() {
        return (int) builds.stream().filter(build -> !build.future().isDone()).count();
    }

    private CompletableFuture<BuildAnswer<String, String>> build(BuildCall<String> call, WorkMode mode) {
        CompletableFuture<BuildAnswer<String, String>> future = new CompletableFuture<>();
        builds.add(new Build(call, mode, future));
        call.cancel().onCancel(() -> future.complete(superseded("cancelled")));
        whileBuilding.run();
        if (failure != null) {
            future.complete(failure);
        } else if (hangs) {
            time.in(
                    call.deadline().remaining().plus(Duration.ofSeconds(4)),
                    () -> future.complete(new NotBuilt<>(
                            FailureKind.PHASE_TIMEOUT, TimeoutLabel.BUNDLE_BUILDER, "compiler timed out")));
        } else {
            PayoutAuthority payout = gate.current();
            WorkIdentity identity = new WorkIdentity(
                    call.snapshot().parent(),
                    call.snapshot().fingerprint(),
                    call.snapshot().generation(),
                    payout.generation(),
                    payout.digest().orElse(""),
                    mode == WorkMode.READY ? payout.appendEpoch() : 0,
                    mode);
            Built<String, String> built =
                    new Built<>(new BuiltWork<>(identity, call.snapshot().template(), "bundle " + builds.size()));
            if (takes.isZero()) {
                future.complete(built);
            } else {
                time.in(
                        takes,
                        () -> future.complete(
                                gate.current().generation() == payout.generation()
                                        ? built
                                        : superseded("payout generation superseded")));
            }
        }
        return future;
    }

    private static NotBuilt<String, String> superseded(String reason) {
        return new NotBuilt<>(FailureKind.SUPERSEDED, TimeoutLabel.REFRESH, reason);
    }
}

package org.prismpool.bundle.internal;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.prismpool.bundle.BuildSource;
import org.prismpool.bundle.BundleMode;

/** What the scheduler's lock is held for: one request against the table of places. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SchedulerBenchmark {

    private final SchedulerState busy = busy();

    private static SchedulerState busy() {
        SchedulerState empty = SchedulerState.EMPTY;
        SchedulerState one = Scheduler.step(empty, new SchedulerEvent.Admit(request(1, "a", true), false, Set.of()))
                .state();
        return Scheduler.step(one, new SchedulerEvent.Admit(request(2, "b", true), false, Set.of()))
                .state();
    }

    private static SchedulerRequest request(long id, String key, boolean critical) {
        FlightKey flight = new FlightKey(BundleMode.READY, key, key, key, Optional.empty());
        return new SchedulerRequest(id, flight, critical, BuildSource.ROUTINE, false, 0);
    }

    /** A routine request that joins the running build of its work. */
    @Benchmark
    public Object join() {
        return Scheduler.step(busy, new SchedulerEvent.Admit(request(3, "b", false), false, Set.of()));
    }

    /** A routine request for other work, which waits behind a publication. */
    @Benchmark
    public Object defer() {
        return Scheduler.step(busy, new SchedulerEvent.Admit(request(3, "c", false), false, Set.of()));
    }

    /** A newer publication, which displaces the running one. */
    @Benchmark
    public Object displace() {
        return Scheduler.step(busy, new SchedulerEvent.Admit(request(3, "c", true), false, Set.of()));
    }
}

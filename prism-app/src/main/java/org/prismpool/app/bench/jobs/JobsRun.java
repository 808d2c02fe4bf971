package org.prismpool.app.bench.jobs;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.prismpool.app.composition.PoolEvents;
import org.prismpool.app.composition.backend.Backends;
import org.prismpool.app.composition.backend.StartFailure;

/** One measurement from start to end. For one thread. */
final class JobsRun {

    private static final Duration JOIN = Duration.ofSeconds(50);
    private static final int COMEBACKS = 6;
    private static final Duration FRESH_PAGE = Duration.ofSeconds(5);
    private static final String ADMISSION = "job_build_priority_admission_seconds";
    private static final List<String> REPORTED = List.of(
            "job_build_phase_seconds_total",
            "job_cache_hits_total",
            "job_cache_misses_total",
            "tip_refresh_builder_ipc_bytes_total",
            "tip_refresh_wave_outcomes_total",
            "blockpoll_phase_seconds_sum",
            "job_build_starts_total");

    private final JobsPlan plan;
    private final Consumer<String> progress;

    JobsRun(JobsPlan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    JobsResult run(Path directory) throws IOException, StartFailure, InterruptedException {
        AtomicLong refreshEnd = new AtomicLong(System.nanoTime());
        PoolEvents events = new PoolEvents() {
            @Override
            public void refreshEnded() {
                refreshEnd.set(System.nanoTime());
            }
        };
        try (InjectedWaits waits = new InjectedWaits();
                MeasuredPool pool = MeasuredPool.open(directory, plan.environment(), backends(waits), events)) {
            progress.accept("starting the pool with " + plan.shares() + " shares");
            pool.start();
            try (WireClients clients = new WireClients(pool.stratumPort(), plan.connections(), plan.miners())) {
                return measure(pool, clients, waits, refreshEnd);
            }
        }
    }

    private Backends backends(InjectedWaits waits) {
        return new Backends(
                ledger -> {
                    SyntheticShares.append(ledger.shares(), plan.shares(), plan.miners(), System.currentTimeMillis());
                    return SlowLedger.with(plan.latencies(), waits).apply(ledger);
                },
                compiler -> new SlowCompiler(compiler, plan.latencies().builder(), waits));
    }

    private JobsResult measure(MeasuredPool pool, WireClients clients, InjectedWaits waits, AtomicLong refreshEnd)
            throws IOException, InterruptedException {
        progress.accept("connecting " + plan.clients() + " clients");
        WireClients.Joined joined = clients.join(0, plan.clients(), JOIN);
        if (joined.lost() > 0) {
            throw new IllegalStateException(joined.lost() + " clients got no first job within " + JOIN);
        }
        FlipSeries series = new FlipSeries(pool.node(), clients, waits, plan.latencies(), refreshEnd);
        progress.accept("warming up with " + plan.warmUp() + " tips at full speed");
        for (int i = 0; i < plan.warmUp(); i++) {
            series.flip(plan.clients());
        }
        SlowNode.slow(pool.node(), plan.latencies());
        waits.begin();
        MetricsPage before = fresh(pool);
        List<Flip> flips = new ArrayList<>();
        long templates = 0;
        for (int i = 0; i < plan.flips(); i++) {
            Flip flip = series.flip(plan.clients());
            templates += pool.node().recorder().calls("getblocktemplate").size();
            flips.add(flip);
            progress.accept("tip " + (i + 1) + " of " + plan.flips() + ": last delivery after "
                    + Spread.seconds(flip.last()) + " s");
        }
        MetricsPage after = fresh(pool);
        Map<String, Map<String, Double>> totals = new TreeMap<>();
        REPORTED.forEach(family -> totals.put(family, after.since(before, family)));
        Optional<JobsResult.Storm> storm =
                plan.storm() == 0 ? Optional.empty() : Optional.of(storm(pool, clients, series));
        Optional<JobsResult.Herd> herd = plan.herd() == 0 ? Optional.empty() : Optional.of(herd(clients));
        return new JobsResult(joined, flips, herd, storm, templates, totals);
    }

    /** From the start of a refresh to the admission of its build, on average between two pages; 0 without any. */
    private static long admission(MetricsPage before, MetricsPage after) {
        double admissions = after.single(ADMISSION + "_count") - before.single(ADMISSION + "_count");
        double seconds = after.single(ADMISSION + "_sum") - before.single(ADMISSION + "_sum");
        return admissions == 0 ? 0 : Math.round(seconds / admissions * 1e9);
    }

    /** A page that was rendered after this call; pages are rendered twice a second. */
    private static MetricsPage fresh(MeasuredPool pool) throws IOException, InterruptedException {
        String before = pool.get("/metrics").body();
        long end = System.nanoTime() + FRESH_PAGE.toNanos();
        Semaphore never = new Semaphore(0);
        String now = before;
        while (now.equals(before) && System.nanoTime() - end < 0 && !never.tryAcquire(100, TimeUnit.MILLISECONDS)) {
            now = pool.get("/metrics").body();
        }
        return new MetricsPage(now);
    }

    /** Not in the common pool, whose single thread on two cores the node client's answers pass through. */
    private static void onThreadOfItsOwn(Runnable join) {
        Thread thread = new Thread(join, "prism-bench-storm");
        thread.setDaemon(true);
        thread.start();
    }

    private JobsResult.Storm storm(MeasuredPool pool, WireClients clients, FlipSeries series)
            throws IOException, InterruptedException {
        progress.accept("storm of " + plan.storm() + " connections in the moment of a new tip");
        MetricsPage calm = fresh(pool);
        series.flip(plan.clients()); // one tip change to compare with
        MetricsPage before = fresh(pool);
        CompletableFuture<WireClients.Joined> stormed = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return clients.join(plan.clients(), plan.clients() + plan.storm(), JOIN);
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("interrupted", stopped);
                    }
                },
                JobsRun::onThreadOfItsOwn);
        Flip flip = series.flip(plan.clients());
        WireClients.Joined joined = stormed.join();
        MetricsPage after = fresh(pool);
        clients.drop(plan.clients(), plan.clients() + plan.storm());
        return new JobsResult.Storm(joined, admission(before, after), admission(calm, before), flip);
    }

    private JobsResult.Herd herd(WireClients clients) throws InterruptedException {
        progress.accept("herd of " + plan.herd() + " connections");
        clients.drop(0, plan.connections());
        WireClients.Joined arrival = clients.join(0, plan.herd(), JOIN);
        List<WireClients.Joined> comebacks = new ArrayList<>();
        for (int i = 0; i < COMEBACKS; i++) {
            clients.drop(0, plan.herd());
            comebacks.add(clients.join(0, plan.herd(), JOIN));
        }
        return new JobsResult.Herd(arrival, comebacks);
    }
}

package org.prismpool.lifecycle.health;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.event.OutageLog;
import org.prismpool.lifecycle.service.FailurePolicy;
import org.prismpool.lifecycle.service.LoopBody;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The health answer: a base that is collected in the background, overlaid on every request with progress from memory.
 *
 * <p>Thread-safe. An answer reads memory only: it never waits for a collection and never calls the base port.
 * Source: spec 08 sections 5.1 and 5.5.
 */
public final class HealthSnapshot {

    private static final Logger LOG = LoggerFactory.getLogger(HealthSnapshot.class);
    private static final String BASE = "health";
    private static final Duration LEAST_STALE_AGE = Duration.ofSeconds(15);
    private static final int STALE_PERIODS = 3;

    private final Duration period;
    private final BaseHealthPort port;
    private final MiningHealth mining;
    private final ProgressHealth progress;
    private final ClientCountPort clients;
    private final Supplier<RefreshDriverState> driver;
    private final MonotonicClock clock;
    private final AtomicLong failures = new AtomicLong();
    private final OutageLog outages = new OutageLog(LOG, "collector");
    private final AtomicReference<@Nullable Collected> collected = new AtomicReference<>();

    /**
     * Creates an answer without a base.
     *
     * @param period time between two collections; default of the pool 5 s
     * @param port collects the base
     * @param mining judges the base
     * @param progress judged on every request
     * @param clients counts clients for the current work, on every request
     * @param driver what the refresh driver does, on every request
     * @param clock monotonic clock of the base's age
     */
    public HealthSnapshot(
            Duration period,
            BaseHealthPort port,
            MiningHealth mining,
            ProgressHealth progress,
            ClientCountPort clients,
            Supplier<RefreshDriverState> driver,
            MonotonicClock clock) {
        this.period = Objects.requireNonNull(period, "period");
        this.port = Objects.requireNonNull(port, "port");
        this.mining = Objects.requireNonNull(mining, "mining");
        this.progress = Objects.requireNonNull(progress, "progress");
        this.clients = Objects.requireNonNull(clients, "clients");
        this.driver = Objects.requireNonNull(driver, "driver");
        this.clock = Objects.requireNonNull(clock, "clock");
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("period must be more than zero, not " + period);
        }
    }

    /**
     * Collects the base once; a failure is counted and keeps the last one. May block as the port does.
     *
     * @return true if there is a new base
     * @throws InterruptedException if the calling thread is interrupted while it collects
     */
    public boolean refresh() throws InterruptedException {
        try {
            BaseHealth base = port.collect();
            collected.set(new Collected(base, mining.judge(base.deliveryView()), clock.nanoTime()));
            outages.answered(BASE, "health is collected again");
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failures.incrementAndGet();
            outages.failed(Level.WARN, BASE, "health collection failed", e);
            return false;
        }
    }

    /**
     * Answers now. Does no work of a backend and waits for none.
     *
     * @return the verdict and the body
     */
    public HealthAnswer answer() {
        ProgressSnapshot now = progress.snapshot(clients);
        RefreshDriverState driving = driver.get();
        Collected base = collected.get();
        if (base == null) {
            return HealthBody.starting(now, driving);
        }
        Duration age = Duration.ofNanos(clock.nanoTime() - base.nanos());
        if (age.compareTo(staleAfter()) > 0) {
            return HealthBody.stale(age, now, driving);
        }
        return HealthBody.of(base.base(), base.verdict(), age, now, driving);
    }

    /**
     * Tells whether a base has been collected.
     *
     * @return true from the first success
     */
    public boolean warm() {
        return collected.get() != null;
    }

    /**
     * Returns the last judgement of mining delivery.
     *
     * @return empty before the first collection
     */
    public Optional<MiningVerdict> lastVerdict() {
        return Optional.ofNullable(collected.get()).map(Collected::verdict);
    }

    /**
     * Returns how many collections have failed.
     *
     * @return count since the start
     */
    public long refreshFailures() {
        return failures.get();
    }

    /**
     * Describes the refresher as a service named {@code health_snapshot_refresher}, unwatched.
     *
     * @param threadName name of its thread, for example {@code prism-health-snapshot-refresher}
     * @return the description
     */
    public ServiceSpec service(String threadName) {
        return ServiceSpec.of("health_snapshot_refresher", threadName, LoopBody.every(period, this::refresh))
                .unwatched()
                .withFailurePolicy(FailurePolicy.continueAfter(period));
    }

    private Duration staleAfter() {
        Duration periods = period.multipliedBy(STALE_PERIODS);
        return periods.compareTo(LEAST_STALE_AGE) > 0 ? periods : LEAST_STALE_AGE;
    }

    /** One collected base and its judgement. */
    private record Collected(BaseHealth base, MiningVerdict verdict, long nanos) {}
}

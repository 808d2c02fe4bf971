package org.prismpool.lifecycle.watchdog;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.service.FailurePolicy;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.service.LoopControl;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.shutdown.StopSignal;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at heartbeats, publication and refresh streaks at a fixed interval and ends the process when one of them is past
 * its limit.
 *
 * <p>Thread-safe. Source: spec 08 section 4.4.
 */
public final class Watchdog {

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    private final WatchdogConfig config;
    private final Heartbeats heartbeats;
    private final RefreshBudgets budgets;
    private final PublicationDivergence publication;
    private final StopSignal stop;
    private final MonotonicClock clock;
    private final FatalShutdown fatal;
    private final AtomicReference<@Nullable FatalReason> requested = new AtomicReference<>();

    /**
     * Creates a watchdog that has not looked yet.
     *
     * @param config limits
     * @param heartbeats heartbeats to judge
     * @param budgets coordination streak
     * @param publication age of unpublished work
     * @param stop ends the watchdog
     * @param clock monotonic clock
     * @param fatal the way out
     */
    public Watchdog(
            WatchdogConfig config,
            Heartbeats heartbeats,
            RefreshBudgets budgets,
            PublicationDivergence publication,
            StopSignal stop,
            MonotonicClock clock,
            FatalShutdown fatal) {
        this.config = Objects.requireNonNull(config, "config");
        this.heartbeats = Objects.requireNonNull(heartbeats, "heartbeats");
        this.budgets = Objects.requireNonNull(budgets, "budgets");
        this.publication = Objects.requireNonNull(publication, "publication");
        this.stop = Objects.requireNonNull(stop, "stop");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.fatal = Objects.requireNonNull(fatal, "fatal");
    }

    /**
     * Asks for a fatal exit at the next look; raise the stop signal afterwards to have that look at once. The first
     * request is kept.
     *
     * @param reason why
     */
    public void requestFatalExit(FatalReason reason) {
        requested.compareAndSet(null, Objects.requireNonNull(reason, "reason"));
    }

    /**
     * Looks once and ends the process if it must.
     *
     * @return the verdict
     */
    public WatchdogVerdict look() {
        WatchdogVerdict verdict = WatchdogVerdict.of(view(), config);
        if (!(verdict instanceof WatchdogVerdict.Fatal due)) {
            return verdict;
        }
        if (due.reason() instanceof FatalReason.Publication) {
            return claimPublication(due);
        }
        fatal.fire(due.reason());
        return verdict;
    }

    /**
     * Describes the watchdog as a service named {@code watchdog}, unwatched, with one second to join.
     *
     * @param threadName name of its thread, for example {@code prism-watchdog}
     * @return the description
     */
    public ServiceSpec service(String threadName) {
        return ServiceSpec.of("watchdog", threadName, this::loop)
                .unwatched()
                .withFailurePolicy(FailurePolicy.continueAfter(config.interval()))
                .withStartHook(this::tellLimits);
    }

    private void loop(LoopControl control) throws InterruptedException {
        while (look() instanceof WatchdogVerdict.Healthy) {
            stop.await(config.interval());
        }
        control.retire();
    }

    /** Runs on the starting thread: a full log pipe must not keep the watchdog from its first look. */
    private void tellLimits() {
        LOG.atInfo()
                .addKeyValue("liveness", config.livenessEnabled())
                .addKeyValue("timeout", config.timeout())
                .addKeyValue("publication_budget", config.publicationBudget())
                .addKeyValue("coordination_blocked_budget", config.coordinationBudget())
                .addKeyValue("interval", config.interval())
                .log("watchdog running");
    }

    private WatchdogView view() {
        return new WatchdogView(
                stop.requested(),
                Optional.ofNullable(requested.get()),
                budgets.streakAge(),
                divergenceAge(),
                heartbeats.overdue(config.timeout()));
    }

    /** The look may be out of date: a streak may have opened or the work may have been published since. */
    private WatchdogVerdict claimPublication(WatchdogVerdict.Fatal due) {
        boolean mine = budgets.claimUnlessBlocked(
                () -> WatchdogVerdict.publicationExpired(divergenceAge(), config.publicationBudget()),
                () -> fatal.claim(due.reason()));
        if (!mine) {
            return new WatchdogVerdict.Healthy();
        }
        fatal.end(due.reason());
        return due;
    }

    private Optional<Duration> divergenceAge() {
        OptionalLong since = publication.divergenceSinceNanos();
        return since.isPresent()
                ? Optional.of(Duration.ofNanos(clock.nanoTime() - since.getAsLong()))
                : Optional.empty();
    }
}

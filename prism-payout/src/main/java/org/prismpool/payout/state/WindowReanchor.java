package org.prismpool.payout.state;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.event.OutageLog;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.PayoutStateMetrics.ArtifactEvent;
import org.prismpool.payout.window.IncrementalWindow;
import org.prismpool.payout.window.WindowAdvance;
import org.prismpool.payout.window.WindowDigest;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.payout.window.WindowSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Moves the prepared window forward in the background, so that builds never wait for the ledger: by its delta, by a full
 * read where the delta can't be folded in, and once in a while by a full read that checks the folding (spec 07 §6.5, 04
 * §16).
 *
 * <p>Everything but {@link #wanted} and {@link #renew} is confined to the thread {@code prism-payout-window}.
 */
public final class WindowReanchor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WindowReanchor.class);
    private static final String PREPARED_WINDOW = "prepared_window";
    private static final long TICK_MILLIS = 250;
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

    private final OutageLog outages = new OutageLog(LOG, "artifact");
    private final PreparedWindowConfig config;
    private final PreparedWindows windows;
    private final PayoutState payout;
    private final WindowSource source;
    private final BalanceReader balances;
    private final WindowClock wall;
    private final PayoutStateMetrics metrics;
    private final MonotonicClock clock;
    private final ScheduledExecutorService timer;
    private final AtomicBoolean wanted = new AtomicBoolean();

    private volatile @Nullable Future<?> ticks; // set by start
    private RearmPacing pacing;
    private @Nullable IncrementalWindow kept;
    private long lastFullNanos;
    private Optional<Long> lastBuildNanos = Optional.empty();

    /**
     * Creates the owner of the background thread.
     *
     * @param config settings
     * @param windows prepared windows to move forward
     * @param payout payout state
     * @param source accepted shares
     * @param balances confirmed balances, for the check of the reused ones
     * @param wall wall time and clean anchor
     * @param metrics counters
     * @param clock monotonic clock
     */
    public WindowReanchor(
            PreparedWindowConfig config,
            PreparedWindows windows,
            PayoutState payout,
            WindowSource source,
            BalanceReader balances,
            WindowClock wall,
            PayoutStateMetrics metrics,
            MonotonicClock clock) {
        this.config = config;
        this.windows = windows;
        this.payout = payout;
        this.source = source;
        this.balances = balances;
        this.wall = wall;
        this.metrics = metrics;
        this.clock = clock;
        this.pacing = RearmPacing.start(clock.nanoTime());
        this.lastFullNanos = clock.nanoTime();
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "prism-payout-window");
            thread.setDaemon(true);
            return thread;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.timer = executor;
    }

    /** Starts the thread and listens to the prepared windows. */
    public void start() {
        windows.onReanchorWanted(this::wanted, this::renew);
        ticks = timer.scheduleWithFixedDelay(this::guardedTick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Asks for a re-anchor; requests coalesce. Never blocks. */
    public void wanted() {
        if (wanted.compareAndSet(false, true)) {
            metrics.artifact(ArtifactEvent.REARM_SCHEDULED);
        }
    }

    /**
     * Re-anchors without regard to interval and pauses, and waits for it. A failure or a deadline that passes leaves the
     * installed window in service, and is logged.
     *
     * @param deadline end of the wait; the read itself goes on
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public void renew(Deadline deadline) throws InterruptedException {
        try {
            timer.submit(this::reanchorInstalled).get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            LOG.atWarn().log("found block: its children are built from the window before it, the new one is late");
        } catch (ExecutionException failed) {
            LOG.atError().setCause(failed.getCause()).log("window re-anchor failed once");
        } catch (RejectedExecutionException closed) {
            LOG.atDebug().log("window re-anchor is closed");
        }
    }

    private void guardedTick() {
        try {
            tick();
        } catch (RuntimeException fault) {
            LOG.atError().setCause(fault).log("window re-anchor failed once");
        }
    }

    /** One turn: re-anchors if one is wanted, due and not suppressed. */
    void tick() {
        long now = clock.nanoTime();
        if (!wanted.get() || !pacing.due(now)) {
            return;
        }
        if (payout.parents().unresolved() > 0 || youngBuild(now)) {
            metrics.artifact(ArtifactEvent.DEBOUNCED);
            pacing = pacing.scheduled(now, config.rearmMin().toNanos());
            return;
        }
        reanchorInstalled();
    }

    /** Moves the installed window forward, if there is one. */
    private void reanchorInstalled() {
        wanted.set(false);
        Optional<PreparedWindow> installed = windows.installed();
        if (installed.isEmpty()) {
            kept = null;
            return; // the next build reads a window and installs it
        }
        try {
            reanchor(installed.get());
            pacing = pacing.succeeded(clock.nanoTime(), config.rearmMin().toNanos());
            outages.answered(PREPARED_WINDOW, "prepared window re-anchored again");
        } catch (RuntimeException failed) {
            aborted(failed);
        }
    }

    private void aborted(RuntimeException failed) {
        kept = null;
        metrics.artifact(ArtifactEvent.BUILD_ABORTED);
        pacing = pacing.aborted(clock.nanoTime(), config.rearmMin().toNanos());
        wanted.set(true);
        outages.failed(Level.WARN, PREPARED_WINDOW, "prepared window not re-anchored", failed);
    }

    private boolean youngBuild(long now) {
        return lastBuildNanos
                .map(built -> now - built < config.minBuildInterval().toNanos())
                .orElse(false);
    }

    private void reanchor(PreparedWindow installed) {
        WindowNeed need = new WindowNeed(
                installed.networkDifficulty(),
                payout.published(),
                payout.appends().epoch());
        long anchor = wall.cleanAnchorMs();
        if (anchor <= installed.anchorMs() && need.metBy(installed)) {
            return;
        }
        Deadline deadline = Deadline.after(READ_TIMEOUT, clock, "window_reanchor");
        try (AnchorExposure exposure = payout.appends().expose(anchor)) {
            List<WindowShare> shares = advance(installed, need, anchor, exposure.epoch(), deadline);
            metrics.artifact(ArtifactEvent.BUILT);
            lastBuildNanos = Optional.of(clock.nanoTime());
            WindowNeed current = new WindowNeed(
                    need.networkDifficulty(),
                    payout.published(),
                    payout.appends().epoch());
            InstallOutcome outcome =
                    windows.install(PreparedWindows.prepared(current, anchor, exposure.epoch(), shares), current);
            if (outcome == InstallOutcome.BORN_EXPIRED || outcome == InstallOutcome.DISCARDED) {
                throw new IllegalStateException("re-anchored window " + outcome);
            }
        }
    }

    private List<WindowShare> advance(
            PreparedWindow installed, WindowNeed need, long anchor, long epoch, Deadline deadline) {
        IncrementalWindow.Origin next = new IncrementalWindow.Origin(need.networkDifficulty(), anchor, epoch);
        IncrementalWindow window = keptFor(installed);
        List<WindowShare> delta = source.becameEligible(window.anchorMs(), anchor, deadline);
        if (window.advance(delta, next) instanceof WindowAdvance.Advanced) {
            metrics.artifact(ArtifactEvent.INCREMENTAL);
            kept = window;
            return checked(window.shares(), next, deadline);
        }
        return rescanned(next, deadline);
    }

    /** Continues the window of the last turn, or starts from the installed one. */
    private IncrementalWindow keptFor(PreparedWindow installed) {
        IncrementalWindow known = kept;
        if (known != null && known.anchorMs() == installed.anchorMs()) {
            return known;
        }
        return IncrementalWindow.rescanned(
                installed.shares(),
                new IncrementalWindow.Origin(
                        installed.networkDifficulty(), installed.anchorMs(), installed.appendEpoch()),
                false);
    }

    private List<WindowShare> rescanned(IncrementalWindow.Origin at, Deadline deadline) {
        IncrementalWindow full = IncrementalWindow.rescanned(
                source.newest(at.anchorMs(), IncrementalWindow.supersetWeight(at.networkDifficulty()), deadline),
                at,
                false);
        metrics.artifact(ArtifactEvent.FULL_RESCAN);
        lastFullNanos = clock.nanoTime();
        kept = full;
        return full.shares();
    }

    /** Once per interval a full read decides whether folding still tells the truth; a failed check keeps the fold. */
    private List<WindowShare> checked(List<WindowShare> folded, IncrementalWindow.Origin at, Deadline deadline) {
        long now = clock.nanoTime();
        if (now - lastFullNanos < config.fullRescanInterval().toNanos()) {
            return folded;
        }
        lastFullNanos = now;
        IncrementalWindow incremental = kept;
        try {
            List<WindowShare> full = rescanned(at, deadline);
            checkBalances(deadline);
            if (WindowDigest.of(full).equals(WindowDigest.of(folded))) {
                metrics.artifact(ArtifactEvent.SELF_CHECK_MATCH);
                return folded;
            }
            metrics.artifact(ArtifactEvent.SELF_CHECK_MISMATCH);
            LOG.atError()
                    .addKeyValue("anchor_ms", at.anchorMs())
                    .log("advanced window differs from a full read; the full read wins");
            return full;
        } catch (RuntimeException failed) {
            metrics.artifact(ArtifactEvent.SELF_CHECK_FAILED);
            LOG.atWarn().setCause(failed).log("window self-check failed");
            kept = incremental;
            return folded;
        }
    }

    private void checkBalances(Deadline deadline) {
        PublishedPayout published = payout.published();
        if (payout.parents().unresolved() > 0 || !payout.snapshot().open()) {
            return;
        }
        List<PriorBalance> fresh = balances.confirmedBalances(deadline, CancelSignal.never());
        if (!BalanceArtifact.of(fresh).digest().equals(published.artifact().digest())) {
            metrics.artifact(ArtifactEvent.BALANCE_CHECK_MISMATCH);
            LOG.atError()
                    .addKeyValue("generation", published.generation())
                    .log("published balances differ from the ledger; repaired in place");
            payout.repair(published.generation(), fresh);
        }
    }

    /** Stops the thread; a read in progress is interrupted. */
    @Override
    public void close() {
        Future<?> running = ticks;
        if (running != null) {
            running.cancel(false);
        }
        timer.shutdownNow();
        try {
            if (!timer.awaitTermination(2, TimeUnit.SECONDS)) {
                LOG.atWarn().log("window re-anchor did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

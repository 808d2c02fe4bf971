package org.prismpool.payout.state;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.state.PayoutStateMetrics.ArtifactEvent;
import org.prismpool.payout.window.IncrementalWindow;
import org.prismpool.payout.window.WindowDigest;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.payout.window.WindowSource;

/**
 * Holds the prepared window that serves builds, decides whether it may, and installs newer ones in anchor order
 * (spec 07 §6.5).
 *
 * <p>Thread-safe; the installed window is guarded by {@code lock}. {@link #read} blocks on the ledger without it.
 */
public final class PreparedWindows {

    private final PreparedWindowConfig config;
    private final WindowSource source;
    private final WindowClock wall;
    private final AppendFence appends;
    private final PayoutStateMetrics metrics;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<PreparedWindow> installed = Optional.empty();
    private long generation;
    private volatile Runnable reanchorWanted = () -> {};
    private volatile Renewal renewal = deadline -> {};

    /**
     * Creates an owner without a window.
     *
     * @param config settings
     * @param source accepted shares of the ledger
     * @param wall wall time and clean anchor
     * @param appends append fence of the payout state
     * @param metrics counters
     */
    public PreparedWindows(
            PreparedWindowConfig config,
            WindowSource source,
            WindowClock wall,
            AppendFence appends,
            PayoutStateMetrics metrics) {
        this.config = config;
        this.source = source;
        this.wall = wall;
        this.appends = appends;
        this.metrics = metrics;
    }

    /**
     * Returns the installed window, usable or not.
     *
     * @return empty before the first installation and after {@link #drop}
     */
    public Optional<PreparedWindow> installed() {
        lock.lock();
        try {
            return installed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the installed window if it may serve a build; past the re-anchor age it still serves, and a background
     * re-anchor is asked for.
     *
     * @param need what the build needs
     * @return the window, or empty if the build must read one
     */
    public Optional<PreparedWindow> serving(WindowNeed need) {
        Optional<PreparedWindow> window = config.reuse() ? installed().filter(need::metBy) : Optional.empty();
        if (window.isEmpty()) {
            return window;
        }
        long age = window.get().anchorAgeMs(wall.nowMs());
        if (age > config.maxAnchorAge().toMillis()) {
            metrics.artifact(ArtifactEvent.PROBE_REJECTED_CEILING);
            reanchorWanted.run();
            return Optional.empty();
        }
        if (age > config.reanchorAge().toMillis()) {
            metrics.artifact(ArtifactEvent.PROBE_PAST_FLOOR);
            reanchorWanted.run();
        }
        metrics.artifact(ArtifactEvent.SERVED_REUSE);
        return window;
    }

    /**
     * Returns the generation of the installed window if it matches a need, for cache keys.
     *
     * @param need what a build needs
     * @return 1 or more, or 0 if no window matches
     */
    public long generationFor(WindowNeed need) {
        return config.reuse()
                ? installed()
                        .filter(need::metBy)
                        .map(PreparedWindow::generation)
                        .orElse(0L)
                : 0L;
    }

    /**
     * Reads a window as a whole. Its anchor is exposed before the read.
     *
     * @param need what the window is for
     * @param anchorMs anchor to read at, a clean one
     * @param deadline longest wait
     * @return the window; close the read after {@link #install} or when it is dead
     */
    public WindowRead read(WindowNeed need, long anchorMs, Deadline deadline) {
        AnchorExposure exposure = appends.expose(anchorMs);
        boolean keep = false;
        try {
            U128 weight = IncrementalWindow.supersetWeight(need.networkDifficulty());
            List<WindowShare> shares = List.copyOf(source.newest(anchorMs, weight, deadline));
            metrics.artifact(ArtifactEvent.FULL_RESCAN);
            WindowRead read = new WindowRead(prepared(need, anchorMs, exposure.epoch(), shares), exposure);
            keep = true;
            return read;
        } finally {
            if (!keep) {
                metrics.artifact(ArtifactEvent.BUILD_ABORTED);
                exposure.close();
            }
        }
    }

    static PreparedWindow prepared(WindowNeed need, long anchorMs, long epoch, List<WindowShare> shares) {
        return new PreparedWindow(
                0,
                need.payout().generation(),
                need.networkDifficulty(),
                shares,
                need.payout().artifact(),
                anchorMs,
                WindowDigest.of(shares),
                epoch);
    }

    /**
     * Lets a window serve builds, unless something newer does.
     *
     * @param window window that was read
     * @param current what a build would need now
     * @return what became of it
     */
    public InstallOutcome install(PreparedWindow window, WindowNeed current) {
        InstallOutcome outcome = tryInstall(window, current);
        metrics.artifact(
                switch (outcome) {
                    case INSTALLED -> ArtifactEvent.INSTALLED;
                    case REFRESHED -> ArtifactEvent.REFRESHED;
                    case ALREADY_CURRENT -> ArtifactEvent.ALREADY_CURRENT;
                    case DISCARDED -> ArtifactEvent.DISCARDED;
                    case BORN_EXPIRED -> ArtifactEvent.BORN_EXPIRED;
                });
        return outcome;
    }

    private InstallOutcome tryInstall(PreparedWindow window, WindowNeed current) {
        if (window.anchorAgeMs(wall.nowMs()) > config.maxAnchorAge().toMillis()) {
            return InstallOutcome.BORN_EXPIRED;
        }
        lock.lock();
        try {
            if (!current.metBy(window)) {
                return InstallOutcome.DISCARDED;
            }
            Optional<PreparedWindow> comparable = installed.filter(current::metBy);
            if (comparable.isPresent() && comparable.get().anchorMs() >= window.anchorMs()) {
                return InstallOutcome.ALREADY_CURRENT;
            }
            boolean same = comparable.isPresent() && comparable.get().digest().equals(window.digest());
            if (!same) {
                generation++;
            }
            installed = Optional.of(window.withGeneration(generation));
            appends.arm(window.anchorMs());
            return same ? InstallOutcome.REFRESHED : InstallOutcome.INSTALLED;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Carries the installed window over to a new payout generation when only balances moved.
     *
     * @param payout the published state
     */
    public void retag(PublishedPayout payout) {
        lock.lock();
        try {
            installed = installed.map(w -> w.retagged(payout.generation(), payout.artifact()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a window that holds the shares up to now, whatever the age of the installed one. If there is none in
     * time, the installed one goes on serving.
     *
     * @param deadline end of the wait
     * @throws InterruptedException if the caller is interrupted
     */
    public void renew(Deadline deadline) throws InterruptedException {
        renewal.within(deadline);
    }

    /** Forgets the installed window: rows changed under it. Its anchor stays live for jobs that were built on it. */
    public void drop() {
        lock.lock();
        try {
            installed = Optional.empty();
            appends.disarm();
        } finally {
            lock.unlock();
        }
    }

    void onReanchorWanted(Runnable routine, Renewal atOnce) {
        reanchorWanted = routine;
        renewal = atOnce;
    }

    /** Moves the installed window forward now. */
    interface Renewal {

        void within(Deadline deadline) throws InterruptedException;
    }
}

package org.prismpool.lifecycle.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writing side of a cancellation; also its own {@link CancelSignal}.
 *
 * <p>Thread-safe: all fields are guarded by this object's monitor, callbacks run after it is released.
 */
public final class CancelSource implements CancelSignal, AutoCloseable {

    private static final Registration NOWHERE = () -> {};

    private final List<Entry> callbacks = new ArrayList<>();
    private Registration atParent = NOWHERE;
    private @Nullable String reason;

    /** Creates a source that is not raised. */
    public CancelSource() {}

    /**
     * Creates a source that is raised together with its parent and can be raised alone.
     *
     * <p>Close the child when its work is over: a parent that outlives many children would otherwise keep every one of
     * them registered.
     *
     * @param parent signal to follow
     * @return the child; it stays registered at the parent until raised or closed
     */
    public static CancelSource childOf(CancelSignal parent) {
        CancelSource child = new CancelSource();
        child.follow(parent.onCancel(() -> child.cancel(parent.reason().orElse("parent cancelled"))));
        return child;
    }

    /**
     * Raises the signal and runs the registered callbacks on this thread; without effect when already raised.
     *
     * @param why reason for everyone who looks
     * @return true if this call raised the signal
     * @throws RuntimeException the first failure of a callback, after all of them have run
     */
    public boolean cancel(String why) {
        Objects.requireNonNull(why, "why");
        List<Entry> toRun;
        Registration leaving;
        synchronized (this) {
            if (reason != null) {
                return false;
            }
            reason = why;
            toRun = List.copyOf(callbacks);
            callbacks.clear();
            leaving = atParent;
            atParent = NOWHERE;
        }
        leaving.close();
        RuntimeException failure = null;
        for (Entry entry : toRun) {
            try {
                entry.callback.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        return true;
    }

    @Override
    public synchronized Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    @Override
    public Registration onCancel(Runnable callback) {
        Entry entry = new Entry(callback);
        synchronized (this) {
            if (reason == null) {
                callbacks.add(entry);
                return () -> remove(entry);
            }
        }
        callback.run();
        return () -> {};
    }

    /**
     * Ends the tie to the parent signal, if there is one; this source can still be raised by itself.
     *
     * <p>Without effect when repeated, or on a source that has no parent.
     */
    @Override
    public void close() {
        Registration leaving;
        synchronized (this) {
            leaving = atParent;
            atParent = NOWHERE;
        }
        leaving.close(); // outside the monitor: the parent takes its own
    }

    /** Keeps the tie unless the parent has raised this source already. */
    private void follow(Registration registration) {
        synchronized (this) {
            if (reason == null) {
                atParent = registration;
                return;
            }
        }
        registration.close();
    }

    private synchronized void remove(Entry entry) {
        callbacks.remove(entry);
    }

    /** Identity wrapper: the same callback may be registered twice. */
    private static final class Entry {
        private final Runnable callback;

        private Entry(Runnable callback) {
            this.callback = callback;
        }
    }
}

package org.prismpool.lifecycle.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writing side of a cancellation; also its own {@link CancelSignal}.
 *
 * <p>Thread-safe: both fields are guarded by this object's monitor, callbacks run after it is released.
 */
public final class CancelSource implements CancelSignal {

    private final List<Entry> callbacks = new ArrayList<>();
    private @Nullable String reason;

    /** Creates a source that is not raised. */
    public CancelSource() {}

    /**
     * Creates a source that is raised together with its parent and can be raised alone.
     *
     * @param parent signal to follow
     * @return the child; it stays registered at the parent until raised
     */
    public static CancelSource childOf(CancelSignal parent) {
        CancelSource child = new CancelSource();
        parent.onCancel(() -> child.cancel(parent.reason().orElse("parent cancelled")));
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
        synchronized (this) {
            if (reason != null) {
                return false;
            }
            reason = why;
            toRun = List.copyOf(callbacks);
            callbacks.clear();
        }
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

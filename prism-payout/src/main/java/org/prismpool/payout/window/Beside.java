package org.prismpool.payout.window;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A calculation on a thread of its own beside its caller's. The caller always waits for it, so the thread lives no longer than
 * the call. The methods are for the thread that started it.
 *
 * @param <T> type of the result
 */
public final class Beside<T> {

    private final Thread thread;
    private @Nullable T result; // this and the failure are written before the thread ends and read after it was joined
    private @Nullable Throwable failure;

    private Beside(String threadName, Supplier<T> work) {
        thread = new Thread(() -> run(work), threadName);
        thread.setDaemon(true);
    }

    /**
     * Starts a calculation.
     *
     * @param <T> type of the result
     * @param threadName name of its thread
     * @param work the calculation; it ends by itself
     * @return the calculation, which {@link #await} or {@link #result} must be called on
     */
    public static <T> Beside<T> start(String threadName, Supplier<T> work) {
        Beside<T> beside = new Beside<>(threadName, work);
        beside.thread.start();
        return beside;
    }

    private void run(Supplier<T> work) {
        try {
            result = work.get();
        } catch (RuntimeException | Error e) {
            failure = e; // the caller's, who rethrows it
        }
    }

    /** Waits for the end, whatever it is. An interrupt is kept for later. */
    public void await() {
        Uninterruptibles.joinUninterruptibly(thread);
    }

    /**
     * Waits for the result; a failure of the calculation is thrown here.
     *
     * @return the result
     */
    public T result() {
        await();
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        return Objects.requireNonNull(result);
    }
}

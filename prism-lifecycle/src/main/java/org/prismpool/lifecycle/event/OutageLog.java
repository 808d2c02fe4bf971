package org.prismpool.lifecycle.event;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs that something asked over and over gives no answer: one line when that begins and one when it ends, nothing in between.
 *
 * <p>An outage of a database or a node is expected and gets no stack trace. A fault of this program does: an exception that the
 * language itself throws, or an error. Thread-safe; nothing is logged under the lock.
 */
public final class OutageLog {

    private final Logger log;
    private final String key;
    private final Map<String, Outage> outages = new HashMap<>(); // guarded by itself

    /** A running outage: what the last failure was and how many there were. */
    private record Outage(String error, long failures) {}

    /**
     * Creates a log in which nothing is down.
     *
     * @param log where the lines go
     * @param key name of the field that says what is down, for example {@code owner}
     */
    public OutageLog(Logger log, String key) {
        this.log = Objects.requireNonNull(log, "log");
        this.key = Objects.requireNonNull(key, "key");
    }

    /**
     * Tells that an attempt failed. Logs at the level given when this begins an outage or when another kind of failure follows;
     * a repetition is logged at DEBUG, with its stack trace.
     *
     * @param level of the first line
     * @param what is down
     * @param message constant text of the line
     * @param cause why the attempt failed
     */
    public void failed(Level level, String what, String message, Throwable cause) {
        String error = cause.getClass().getSimpleName();
        boolean repeated;
        synchronized (outages) {
            Outage before = outages.get(what);
            repeated = before != null && before.error().equals(error);
            outages.put(what, new Outage(error, before == null ? 1 : before.failures() + 1));
        }
        if (repeated) {
            log.atDebug().setCause(cause).addKeyValue(key, what).log(message);
        } else if (isFault(cause)) {
            log.atLevel(level).setCause(cause).addKeyValue(key, what).log(message);
        } else {
            log.atLevel(level)
                    .addKeyValue(key, what)
                    .addKeyValue("error", cause.toString())
                    .log(message);
        }
    }

    /**
     * Tells that an attempt succeeded; logs at INFO if that ends an outage.
     *
     * @param what answers
     * @param message constant text of the line
     */
    public void answered(String what, String message) {
        Outage ended;
        synchronized (outages) {
            ended = outages.remove(what);
        }
        if (ended != null) {
            log.atInfo()
                    .addKeyValue(key, what)
                    .addKeyValue("failed_attempts", ended.failures())
                    .log(message);
        }
    }

    /** What the language throws, not a library over a network. */
    private static boolean isFault(Throwable cause) {
        return cause instanceof Error
                || cause instanceof NullPointerException
                || cause instanceof IllegalArgumentException
                || cause instanceof IllegalStateException
                || cause instanceof IndexOutOfBoundsException
                || cause instanceof ClassCastException
                || cause instanceof ArithmeticException
                || cause instanceof UnsupportedOperationException;
    }
}

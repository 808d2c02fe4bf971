package org.prismpool.app.devnode.fault;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.lifecycle.time.MonotonicClock;

/** An ordered log of the last 10 000 calls. Thread-safe. */
public final class CallRecorder {

    private static final int LARGEST_LOG = 10_000;

    private final MonotonicClock clock;
    private final Object lock = new Object();
    private final Map<Long, CallRecord> calls = new LinkedHashMap<>();
    private long sequence;

    /**
     * Creates an empty log.
     *
     * @param clock stamps beginnings and ends
     */
    public CallRecorder(MonotonicClock clock) {
        this.clock = clock;
    }

    /**
     * Notes that a call began.
     *
     * @param method name of the method
     * @param paramsSha256 hash of its parameters
     * @return number of the call
     */
    public long begin(String method, String paramsSha256) {
        String thread = Thread.currentThread().getName();
        synchronized (lock) {
            sequence++;
            calls.put(
                    sequence,
                    new CallRecord(
                            sequence,
                            method,
                            paramsSha256,
                            thread,
                            clock.nanoTime(),
                            Optional.empty(),
                            Optional.empty()));
            if (calls.size() > LARGEST_LOG) {
                calls.remove(calls.keySet().iterator().next());
            }
            return sequence;
        }
    }

    /**
     * Notes that a call ended.
     *
     * @param number what {@link #begin} returned
     * @param outcome how it ended
     */
    public void end(long number, String outcome) {
        synchronized (lock) {
            calls.computeIfPresent(
                    number,
                    (key, call) -> new CallRecord(
                            call.sequence(),
                            call.method(),
                            call.paramsSha256(),
                            call.thread(),
                            call.startNanos(),
                            Optional.of(clock.nanoTime()),
                            Optional.of(outcome)));
        }
    }

    /**
     * Returns the log.
     *
     * @return a copy, oldest call first
     */
    public List<CallRecord> calls() {
        synchronized (lock) {
            return new ArrayList<>(calls.values());
        }
    }

    /**
     * Returns the calls of one method.
     *
     * @param method name of the method
     * @return a copy, oldest call first
     */
    public List<CallRecord> calls(String method) {
        return calls().stream().filter(call -> call.method().equals(method)).toList();
    }

    /** Forgets every call; numbers go on. */
    public void clear() {
        synchronized (lock) {
            calls.clear();
        }
    }
}

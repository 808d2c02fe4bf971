package org.prismpool.lifecycle.service;

import java.time.Duration;
import java.util.Objects;

/**
 * Description of one background service.
 *
 * @param name name of the service and of its heartbeat
 * @param threadName name of its thread
 * @param body its loop
 * @param joinBound longest wait for its end when the process stops
 * @param watched whether its heartbeat is judged by the watchdog
 * @param onFailure what happens when the body throws
 * @param onStarted runs once after its thread has started, on the starting thread
 */
public record ServiceSpec(
        String name,
        String threadName,
        LoopBody body,
        Duration joinBound,
        boolean watched,
        FailurePolicy onFailure,
        Runnable onStarted) {

    private static final Duration DEFAULT_JOIN = Duration.ofSeconds(1);

    /** Checks the names and the bound. */
    public ServiceSpec {
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(onFailure, "onFailure");
        Objects.requireNonNull(onStarted, "onStarted");
        if (name.isBlank() || threadName.isBlank()) {
            throw new IllegalArgumentException("a service needs a name and a thread name");
        }
        if (joinBound.isNegative()) {
            throw new IllegalArgumentException("joinBound of " + name + " must not be negative");
        }
    }

    /**
     * Describes a watched service with one second to join that is restarted at once when it fails.
     *
     * @param name name of the service
     * @param threadName name of its thread
     * @param body its loop
     * @return the description
     */
    public static ServiceSpec of(String name, String threadName, LoopBody body) {
        return new ServiceSpec(
                name, threadName, body, DEFAULT_JOIN, true, FailurePolicy.continueAfter(Duration.ZERO), () -> {});
    }

    /**
     * Returns the same service with another wait for its end.
     *
     * @param bound zero or more
     * @return the changed copy
     */
    public ServiceSpec withJoinBound(Duration bound) {
        return new ServiceSpec(name, threadName, body, bound, watched, onFailure, onStarted);
    }

    /**
     * Returns the same service, not judged by the watchdog.
     *
     * @return the changed copy
     */
    public ServiceSpec unwatched() {
        return new ServiceSpec(name, threadName, body, joinBound, false, onFailure, onStarted);
    }

    /**
     * Returns the same service with another failure policy.
     *
     * @param policy what happens when the body throws
     * @return the changed copy
     */
    public ServiceSpec withFailurePolicy(FailurePolicy policy) {
        return new ServiceSpec(name, threadName, body, joinBound, watched, policy, onStarted);
    }

    /**
     * Returns the same service with a hook.
     *
     * @param hook runs once after the thread has started
     * @return the changed copy
     */
    public ServiceSpec withStartHook(Runnable hook) {
        return new ServiceSpec(name, threadName, body, joinBound, watched, onFailure, hook);
    }
}

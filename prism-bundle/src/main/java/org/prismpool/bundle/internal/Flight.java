package org.prismpool.bundle.internal;

import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.bundle.BuildSource;

/**
 * One build that the scheduler knows, running or pending.
 *
 * @param id number of the request that made it; also names its promise
 * @param key what it builds
 * @param critical whether a publication waits for it
 * @param source who asked first, or who made it critical
 * @param requestedAtNanos monotonic time of that request
 * @param cancelled reason of its cancellation
 * @param resolved whether its promise is resolved although it still occupies a place
 * @param orphanSinceNanos when a sweep first saw its task finished without a completion
 */
record Flight(
        long id,
        FlightKey key,
        boolean critical,
        BuildSource source,
        long requestedAtNanos,
        Optional<String> cancelled,
        boolean resolved,
        OptionalLong orphanSinceNanos) {

    static Flight of(SchedulerRequest request) {
        return new Flight(
                request.id(),
                request.key(),
                request.critical(),
                request.source(),
                request.requestedAtNanos(),
                Optional.empty(),
                false,
                OptionalLong.empty());
    }

    /** A result of this flight can still reach someone. */
    boolean live() {
        return cancelled.isEmpty() && !resolved;
    }

    boolean liveCritical() {
        return critical && live();
    }

    Flight cancel(String reason) {
        return cancelled.isPresent()
                ? this
                : new Flight(
                        id, key, critical, source, requestedAtNanos, Optional.of(reason), resolved, orphanSinceNanos);
    }

    Flight promoted(SchedulerRequest by) {
        return critical
                ? this
                : new Flight(id, key, true, by.source(), by.requestedAtNanos(), cancelled, resolved, orphanSinceNanos);
    }

    Flight resolve() {
        return new Flight(id, key, critical, source, requestedAtNanos, cancelled, true, orphanSinceNanos);
    }

    Flight orphanSince(long nanos) {
        return new Flight(id, key, critical, source, requestedAtNanos, cancelled, resolved, OptionalLong.of(nanos));
    }
}

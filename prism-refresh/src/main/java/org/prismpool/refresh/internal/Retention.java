package org.prismpool.refresh.internal;

import java.util.Optional;
import org.prismpool.refresh.RetainedCollection;
import org.prismpool.refresh.WorkAuthority;

/** Retained collection work as pure changes of the authority (spec 07 §3.9). */
final class Retention {

    private Retention() {}

    /** Retains collection work, if it is still what is published. */
    static <T, W> WorkAuthority<T, W> retain(WorkAuthority<T, W> seen, RetainedCollection retained) {
        boolean current = seen.work()
                .filter(work -> Identity.same(work.snapshot(), retained.snapshot()))
                .isPresent();
        return current ? with(seen, Optional.of(retained)) : seen;
    }

    /** Drops whatever is retained. */
    static <T, W> WorkAuthority<T, W> drop(WorkAuthority<T, W> seen) {
        return seen.retainedCollection().isEmpty() ? seen : with(seen, Optional.empty());
    }

    private static <T, W> WorkAuthority<T, W> with(WorkAuthority<T, W> seen, Optional<RetainedCollection> retained) {
        return new WorkAuthority<>(
                seen.detected(),
                seen.detectionEpoch(),
                seen.published(),
                seen.divergenceNanos(),
                seen.work(),
                seen.epoch(),
                seen.fanout(),
                retained);
    }
}

package org.prismpool.app.composition.work;

import java.util.ArrayDeque;
import java.util.Deque;
import org.prismpool.bundle.WorkBundle;

/**
 * Wire forms of the newest bundles, so that every connection that gets one bundle shares one encoding.
 *
 * <p>Thread-safe; keeps a small number of the newest, since a bundle may pin a large share window.
 */
public final class WorkEncodings {

    private static final int KEPT = 16;

    private final Deque<PoolWork> newest = new ArrayDeque<>(); // guarded by this

    // Comparing contents would walk a whole share window.
    @SuppressWarnings("ReferenceEquality")
    private static boolean sameInstance(WorkBundle one, WorkBundle other) {
        return one == other;
    }

    synchronized PoolWork of(WorkBundle bundle) {
        for (PoolWork known : newest) {
            if (sameInstance(known.bundle(), bundle)) {
                return known;
            }
        }
        PoolWork made = BundleWork.work(bundle);
        newest.addFirst(made);
        if (newest.size() > KEPT) {
            newest.removeLast();
        }
        return made;
    }
}

package org.prismpool.refresh.internal;

/**
 * Comparison by identity where that is the rule: a pass publishes exactly the objects that it observed and built, not
 * ones that look alike.
 */
final class Identity {

    private Identity() {}

    static boolean same(Object one, Object other) {
        return one == other;
    }
}

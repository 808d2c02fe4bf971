package org.prismpool.bundle;

/** Who asks for a build (spec 07 §4.3). */
public enum BuildSource {
    /** The refresh owner, for a tip or payout change. */
    TIP_REFRESH,
    /** The first job of a connection. */
    INITIAL,
    /** Everything else: retargets, explicit difficulty changes, keep-alives. */
    ROUTINE
}

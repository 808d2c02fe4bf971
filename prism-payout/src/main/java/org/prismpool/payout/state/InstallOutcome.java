package org.prismpool.payout.state;

/** What became of a window that wanted to serve builds. */
public enum InstallOutcome {
    /** It serves under a new window generation. */
    INSTALLED,
    /** Its shares equal those of the installed window; anchor and stamps moved forward in place. */
    REFRESHED,
    /** The installed window is at the same anchor or a newer one. */
    ALREADY_CURRENT,
    /** Payout generation, balances or append epoch moved while it was read. */
    DISCARDED,
    /** Its anchor was too old on arrival. */
    BORN_EXPIRED
}

package org.prismpool.sharewriter.lease;

/** Whether a mutating call to the node or wallet may be made now. */
public enum ExternalAuthority {
    /** Verified just now. */
    GRANTED,
    /** Not now: an own long write holds the lease row and its life is short; try again later. */
    DEFERRED,
    /** Authority is lost; the process is ending. */
    REFUSED
}

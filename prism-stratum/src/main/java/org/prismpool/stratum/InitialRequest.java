package org.prismpool.stratum;

/** Answer of {@link JobIssuer#requestInitial}. */
public enum InitialRequest {
    /** A job will be delivered, or the connection closed, within the issuer's deadline. */
    QUEUED,
    /** The same request is already waiting. */
    COALESCED,
    /** The session holds current work for these generations. */
    ALREADY_CURRENT,
    /** No room: the session is disconnected. */
    REFUSED
}

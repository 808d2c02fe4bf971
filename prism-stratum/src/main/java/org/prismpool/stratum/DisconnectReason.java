package org.prismpool.stratum;

/** Why a connection was closed. */
public enum DisconnectReason {
    /** The miner closed it or the network broke. */
    PEER,
    /** Bytes that are not UTF-8. */
    NOT_UTF8,
    /** A line longer than the limit. */
    LINE_TOO_LONG,
    /** Too many malformed requests in a row. */
    ERROR_BUDGET,
    /** First bytes of another protocol. */
    FOREIGN_PROTOCOL,
    /** Not subscribed and authorized in time. */
    HANDSHAKE_TIMEOUT,
    /** The miner does not read what is sent to it. */
    SLOW_READER,
    /** Too many connections of one username. */
    USERNAME_LIMIT,
    /** The coinbase exceeds the listener's budget. */
    COINBASE_BUDGET,
    /** The first job could not be queued. */
    INITIAL_JOB_REFUSED,
    /** The first job did not come in time, or failed for good. */
    INITIAL_JOB_FAILED,
    /** The server is stopping. */
    SHUTDOWN,
    /** A fault of this program. */
    INTERNAL
}

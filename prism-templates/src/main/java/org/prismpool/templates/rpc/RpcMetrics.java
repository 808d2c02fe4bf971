package org.prismpool.templates.rpc;

/** Port that counts calls of the node. Called on the caller's thread; must not block. Thread-safe. */
public interface RpcMetrics {

    /** How a call ended. */
    enum Outcome {
        /** With a result. */
        OK,
        /** Nothing was sent. */
        NOT_SENT,
        /** Its time was up. */
        TIMEOUT,
        /** The connection broke. */
        TRANSPORT,
        /** The node refused the credentials, or the method to them. */
        UNAUTHORIZED,
        /** The node's work queue was full. */
        BUSY,
        /** The node answered with an error. */
        NODE_ERROR,
        /** The answer made no sense. */
        PROTOCOL,
        /** The owner no longer wanted it. */
        CANCELLED
    }

    /** Counts nothing. */
    RpcMetrics NONE = new RpcMetrics() {};

    /**
     * Hears that a call began.
     *
     * @param method what is asked
     */
    default void started(RpcMethod method) {}

    /**
     * Hears that a call ended, its retry included; once for each start.
     *
     * @param method what was asked
     * @param outcome how it ended
     * @param nanos how long it took
     */
    default void ended(RpcMethod method, Outcome outcome, long nanos) {}

    /**
     * Hears that a read is sent once more within its deadline.
     *
     * @param method what is asked
     */
    default void retried(RpcMethod method) {}
}

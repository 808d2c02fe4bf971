package org.prismpool.templates.rpc;

/**
 * Why a node call has no result. Decisions use the class and the code, never the text (spec 01 §5.4).
 */
public sealed interface RpcFailure {

    /**
     * Returns a description for operators; holds no credential and no request body.
     *
     * @return one line
     */
    String message();

    /**
     * Returns the class of the failure in metrics.
     *
     * @return the outcome of its call
     */
    RpcMetrics.Outcome outcome();

    /**
     * Tells whether a mutating call may have taken effect all the same.
     *
     * @return true if only the chain or the wallet can tell
     */
    default boolean outcomeUnknown() {
        return false;
    }

    /**
     * Returns the node's error code.
     *
     * @return the code of a {@link NodeError}, otherwise 0, which no node uses
     */
    default int code() {
        return 0;
    }

    /**
     * Nothing was sent: the deadline had passed, the connection was refused or the name is unknown.
     *
     * @param message description
     */
    record NotSent(String message) implements RpcFailure {
        @Override
        public RpcMetrics.Outcome outcome() {
            return RpcMetrics.Outcome.NOT_SENT;
        }
    }

    /**
     * The deadline passed after the call was sent.
     *
     * @param message description
     */
    record TimedOut(String message) implements RpcFailure {
        @Override
        public RpcMetrics.Outcome outcome() {
            return RpcMetrics.Outcome.TIMEOUT;
        }

        @Override
        public boolean outcomeUnknown() {
            return true;
        }
    }

    /**
     * The connection broke after the call was sent.
     *
     * @param message description
     */
    record Transport(String message) implements RpcFailure {
        @Override
        public RpcMetrics.Outcome outcome() {
            return RpcMetrics.Outcome.TRANSPORT;
        }

        @Override
        public boolean outcomeUnknown() {
            return true;
        }
    }

    /**
     * The node does not know these credentials (HTTP 401).
     *
     * @param message description
     */
    record Unauthorized(String message) implements RpcFailure {
        @Override
        public RpcMetrics.Outcome outcome() {
            return RpcMetrics.Outcome.UNAUTHORIZED;
        }
    }

    /**
     * The node does not allow this method or this client (HTTP 403).
     *
     * @param message description
     */
    record Forbidden(String message) implements RpcFailure {
        @Override
        public RpcMetrics.Outcome outcome() {
            return RpcMetrics.Outcome.UNAUTHORIZED;
        }
    }

    /**
     * The node's work queue is full (HTTP 503).
     *
     * @param message description
     */
    record Busy(String message) implements RpcFailure {
        @Override
        public RpcMetrics.Outcome outcome() {
            return RpcMetrics.Outcome.BUSY;
        }
    }

    /**
     * The node answered with an error object.
     *
     * @param code the node's error code
     * @param message the node's text
     * @param httpStatus HTTP status of the answer
     */
    record NodeError(int code, String message, int httpStatus) implements RpcFailure {
        @Override
        public RpcMetrics.Outcome outcome() {
            return RpcMetrics.Outcome.NODE_ERROR;
        }
    }

    /**
     * The answer breaks the protocol: not JSON, another id, a missing field, too long.
     *
     * @param message description
     */
    record Protocol(String message) implements RpcFailure {
        @Override
        public RpcMetrics.Outcome outcome() {
            return RpcMetrics.Outcome.PROTOCOL;
        }

        @Override
        public boolean outcomeUnknown() {
            return true;
        }
    }

    /**
     * The caller cancelled after the call was sent.
     *
     * @param message description
     */
    record Cancelled(String message) implements RpcFailure {
        @Override
        public RpcMetrics.Outcome outcome() {
            return RpcMetrics.Outcome.CANCELLED;
        }

        @Override
        public boolean outcomeUnknown() {
            return true;
        }
    }
}

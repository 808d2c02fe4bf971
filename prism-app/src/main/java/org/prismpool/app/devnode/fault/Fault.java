package org.prismpool.app.devnode.fault;

import java.time.Duration;

/** Something that goes wrong with a call. */
public sealed interface Fault {

    /**
     * The call is answered late.
     *
     * @param shortest least delay
     * @param longest largest delay; drawn at random between both
     */
    record Latency(Duration shortest, Duration longest) implements Fault {

        /** Checks the order. */
        public Latency {
            if (shortest.isNegative() || longest.compareTo(shortest) < 0) {
                throw new IllegalArgumentException("latency needs 0 <= shortest <= longest");
            }
        }
    }

    /**
     * The call waits at a gate.
     *
     * @param gate holds the call until released
     * @param point before or after the work is done
     */
    record Hold(Gate gate, CallPoint point) implements Fault {}

    /**
     * The call fails with an RPC error and does nothing.
     *
     * @param code JSON-RPC error code
     * @param message error text
     */
    record RpcError(int code, String message) implements Fault {}

    /**
     * The HTTP front answers with something that need not be JSON.
     *
     * @param status HTTP status
     * @param contentType value of the content type header
     * @param body text of the body
     */
    record RawAnswer(int status, String contentType, String body) implements Fault {}

    /**
     * The connection is never answered.
     *
     * @param headersFirst whether status and headers are still sent
     */
    record Hang(boolean headersFirst) implements Fault {}

    /**
     * The answer comes one byte at a time.
     *
     * @param interval time between two bytes
     */
    record Drip(Duration interval) implements Fault {

        /** Checks the interval. */
        public Drip {
            if (interval.isNegative() || interval.isZero()) {
                throw new IllegalArgumentException("interval must be positive");
            }
        }
    }

    /**
     * The connection is closed without an answer.
     *
     * @param point before or after the work is done; after it is the lost acknowledgement
     */
    record Drop(CallPoint point) implements Fault {}
}

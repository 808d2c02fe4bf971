package org.prismpool.app.devnode.fault;

import java.util.Optional;

/**
 * One call as the recorder saw it.
 *
 * @param sequence position among all calls, from 1; calls are numbered when they begin
 * @param method name of the method
 * @param paramsSha256 SHA-256 of the parameters as compact JSON, 64 hex digits
 * @param thread name of the thread on which the call began
 * @param startNanos monotonic time of the beginning
 * @param endNanos monotonic time of the end, empty while the call runs
 * @param outcome how it ended: {@code ok}, {@code error <code>}, {@code hang}, {@code drop}, {@code raw}; empty while it runs
 */
public record CallRecord(
        long sequence,
        String method,
        String paramsSha256,
        String thread,
        long startNanos,
        Optional<Long> endNanos,
        Optional<String> outcome) {}

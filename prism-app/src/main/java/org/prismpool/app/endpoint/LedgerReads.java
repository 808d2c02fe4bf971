package org.prismpool.app.endpoint;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;

/**
 * The ledger as the private endpoints read it: on read connections, each answer within one limit. Thread-safe.
 *
 * @param ledger whose rows are shown
 * @param limit longest time one answer may take
 * @param clock monotonic clock
 */
public record LedgerReads(Ledger ledger, Duration limit, MonotonicClock clock) {

    Deadline deadline(String operation) {
        return Deadline.after(limit, clock, operation);
    }

    /** The members that every document begins with. */
    Map<String, Object> document(String schema) {
        Map<String, Object> document = new TreeMap<>();
        document.put("schema", schema);
        document.put("ledger_backend", ledger.backend());
        return document;
    }
}

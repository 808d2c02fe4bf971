package org.prismpool.app.composition.block;

import java.util.function.Supplier;
import org.prismpool.lifecycle.shutdown.WriterAdmission;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.shutdown.WriterTicket;

/**
 * Runs the writes of block accounting inside the writer barrier: the lease is not given back while one is under way, and none
 * begins after the shutdown has. What is refused here is found again by the replay of the next start.
 *
 * <p>Thread-safe.
 */
public final class BarrierWrites {

    private final WriterAdmission admission;
    private final WriterComponent component;
    private final BlockLedgerCalls calls;

    public BarrierWrites(WriterAdmission admission, WriterComponent component, BlockLedgerCalls calls) {
        this.admission = admission;
        this.component = component;
        this.calls = calls;
    }

    <R> R call(Supplier<R> write) {
        WriterTicket ticket = admission.reserve(component);
        try {
            return calls.run(write);
        } finally {
            ticket.close();
        }
    }

    void run(Runnable write) {
        call(() -> {
            write.run();
            return Boolean.TRUE;
        });
    }
}

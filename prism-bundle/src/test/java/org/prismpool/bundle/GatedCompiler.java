package org.prismpool.bundle;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.prismpool.bundle.compile.BundleCompiler;
import org.prismpool.bundle.compile.CompileProgress;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.JobSummary;

/** A compiler that a test can hold inside a compile. */
final class GatedCompiler implements BundleCompiler {

    private final BundleCompiler real;
    private final Semaphore permits = new Semaphore(1_000_000);
    final AtomicInteger entered = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    volatile boolean deaf;

    GatedCompiler(BundleCompiler real) {
        this.real = real;
    }

    void hold() {
        permits.drainPermits();
    }

    void release(int compiles) {
        permits.release(compiles);
    }

    void open() {
        permits.drainPermits();
        permits.release(1_000_000);
    }

    @Override
    public JobSummary compile(AuditBuildInput input, Deadline deadline, CancelSignal cancel, CompileProgress progress) {
        entered.incrementAndGet();
        try {
            while (!permits.tryAcquire(5, TimeUnit.MILLISECONDS)) {
                if (!deaf) {
                    progress.checkpoint("gate");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted");
        } catch (CancelledException e) {
            cancelled.incrementAndGet();
            throw e;
        }
        return real.compile(input, deadline, cancel, progress);
    }
}

package org.prismpool.bundle.compile;

import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.JobSummary;

/**
 * Port to whatever computes signed coinbase manifests. Thread-safe; two builds may compile at once. Called on a build
 * thread; blocks until done, cancelled or out of time. The same input gives the same bytes, so a retry is always safe.
 */
@FunctionalInterface
public interface BundleCompiler extends AutoCloseable {

    /**
     * Compiles one job summary.
     *
     * @param input everything that the result depends on
     * @param deadline bound of the whole compile, across every transport it may use
     * @param cancel raised when the result is no longer wanted
     * @param progress told at every checkpoint
     * @return the summary
     * @throws org.prismpool.lifecycle.time.CancelledException if the signal was raised, even if a result was ready
     * @throws org.prismpool.lifecycle.time.DeadlineExceededException if time was up, even if a result was ready
     * @throws CompileException if the compile failed for its own reasons
     */
    JobSummary compile(AuditBuildInput input, Deadline deadline, CancelSignal cancel, CompileProgress progress);

    /** Stops helpers and removes their files. */
    @Override
    default void close() {}
}

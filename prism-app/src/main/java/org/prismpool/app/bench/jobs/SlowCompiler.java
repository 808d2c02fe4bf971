package org.prismpool.app.bench.jobs;

import java.time.Duration;
import org.prismpool.bundle.compile.BundleCompiler;
import org.prismpool.bundle.compile.CompileProgress;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.JobSummary;

/**
 * A compiler that takes at least a given time: it compiles, then waits for the rest. Cancellation and deadline are noticed
 * at its end, as they are by a helper that is asked once.
 */
record SlowCompiler(BundleCompiler compiler, Duration least, InjectedWaits waits) implements BundleCompiler {

    @Override
    public JobSummary compile(AuditBuildInput input, Deadline deadline, CancelSignal cancel, CompileProgress progress) {
        long began = System.nanoTime();
        JobSummary summary = compiler.compile(input, deadline, cancel, progress);
        if (!least.isZero()) {
            waits.await(began, least);
        }
        cancel.throwIfCancelled();
        deadline.check("bundle_builder");
        return summary;
    }

    @Override
    public void close() {
        compiler.close();
    }
}

package org.prismpool.app.composition;

import org.prismpool.bundle.compile.BundleCompiler;
import org.prismpool.bundle.compile.CompileProgress;
import org.prismpool.lifecycle.health.ProgressHealth;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.JobSummary;

/**
 * Tells the health of every compile from its start to its real end, also of one that its build has given up: a compiler that
 * never comes back must turn the pool red. Thread-safe.
 */
final class WatchedCompiler implements BundleCompiler {

    private final BundleCompiler compiler;
    private final ProgressHealth progress;

    WatchedCompiler(BundleCompiler compiler, ProgressHealth progress) {
        this.compiler = compiler;
        this.progress = progress;
    }

    @Override
    public JobSummary compile(AuditBuildInput input, Deadline deadline, CancelSignal cancel, CompileProgress told) {
        ProgressHealth.BuildToken running = progress.startBuild();
        try {
            return compiler.compile(input, deadline, cancel, told);
        } finally {
            running.close();
        }
    }

    @Override
    public void close() {
        compiler.close();
    }
}

package org.prismpool.bundle.compile;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.JobSummary;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles with two compilers, compares their bytes and serves the first one's result. Thread-safe.
 *
 * <p>The second compile shares the deadline; when it is out of time or fails, the comparison is skipped and counted.
 */
public final class ShadowCompiler implements BundleCompiler {

    private static final Logger LOG = LoggerFactory.getLogger(ShadowCompiler.class);

    private final BundleCompiler serving;
    private final BundleCompiler shadow;
    private final Consumer<Comparison> events;
    private final AtomicLong compared = new AtomicLong();
    private final AtomicLong mismatches = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();

    /** How one comparison ended. */
    public enum Comparison {
        /** Both gave the same bytes. */
        MATCH,
        /** The bytes differ. */
        MISMATCH,
        /** The second compiler gave no result. */
        ERROR
    }

    /**
     * Creates a compiler over two.
     *
     * @param serving compiler whose results are served
     * @param shadow compiler that is compared with it
     */
    public ShadowCompiler(BundleCompiler serving, BundleCompiler shadow) {
        this(serving, shadow, ended -> {});
    }

    /**
     * Creates a compiler over two that tells of every comparison.
     *
     * @param serving compiler whose results are served
     * @param shadow compiler that is compared with it
     * @param events told on the compiling thread; must return quickly
     */
    public ShadowCompiler(BundleCompiler serving, BundleCompiler shadow, Consumer<Comparison> events) {
        this.serving = serving;
        this.shadow = shadow;
        this.events = events;
    }

    @Override
    public JobSummary compile(AuditBuildInput input, Deadline deadline, CancelSignal cancel, CompileProgress progress) {
        JobSummary served = serving.compile(input, deadline, cancel, progress);
        try {
            compare(served, shadow.compile(input, deadline, cancel, CompileProgress.NONE));
        } catch (CancelledException stopped) {
            throw stopped;
        } catch (RuntimeException failed) { // whatever it is, it must not cost the work that is served
            skipped.incrementAndGet();
            events.accept(Comparison.ERROR);
            LOG.atWarn().setCause(failed).log("shadow compile gave no result");
        }
        return served;
    }

    private void compare(JobSummary served, JobSummary other) {
        compared.incrementAndGet();
        boolean same = Arrays.equals(served.canonicalBytes(), other.canonicalBytes());
        events.accept(same ? Comparison.MATCH : Comparison.MISMATCH);
        if (!same) {
            mismatches.incrementAndGet();
            LOG.atError()
                    .addKeyValue("height", served.foundBlock().blockHeight())
                    .log("shadow compile differs");
        }
    }

    /**
     * Counts the comparisons.
     *
     * @return compiles whose results were compared
     */
    public long compared() {
        return compared.get();
    }

    /**
     * Counts the differences.
     *
     * @return comparisons with different bytes
     */
    public long mismatches() {
        return mismatches.get();
    }

    /**
     * Counts the comparisons that did not happen.
     *
     * @return compiles whose shadow gave no result
     */
    public long skipped() {
        return skipped.get();
    }

    @Override
    public void close() {
        serving.close();
        shadow.close();
    }
}

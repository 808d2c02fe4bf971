package org.prismpool.stratum.session;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobDifficulty;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.WorkerIdentity;
import org.prismpool.stratum.share.TipCheck.TipWork;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Target;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Freezes jobs of one session and notes their delivery. Confined to the event loop. */
final class JobStamper {

    private static final Logger LOG = LoggerFactory.getLogger(JobStamper.class);

    /** A stamp and what it was made from: a fan-out on one network difficulty needs no new division. */
    record Stamped(Target network, Optional<BigDecimal> floor, JobDifficulty difficulty) {
        boolean fits(Target wantedNetwork, Optional<BigDecimal> wantedFloor, BigDecimal desired) {
            return difficulty.desired().compareTo(desired) == 0
                    && network.equals(wantedNetwork)
                    && floor.equals(wantedFloor);
        }
    }

    private final SessionState state;
    private final SessionServices services;
    private @Nullable Stamped last;

    JobStamper(SessionState state, SessionServices services) {
        this.state = state;
        this.services = services;
    }

    JobContext stamp(SharedWork work, String jobId) {
        WorkerIdentity worker = Objects.requireNonNull(state.worker, "an eligible session has a worker");
        return new JobContext(
                jobId,
                state.epoch(),
                worker,
                state.extranonce1,
                work,
                weighted(difficulty(work.template().networkTarget()), worker),
                version(work),
                state.versionMask,
                services.ports.wallClock().millis());
    }

    boolean used() {
        return last != null;
    }

    private JobDifficulty difficulty(Target network) {
        Optional<BigDecimal> floor = state.floor();
        Stamped known = last;
        if (known == null || !known.fits(network, floor, state.desired)) {
            known = services.lastStamped;
        }
        if (known == null || !known.fits(network, floor, state.desired)) {
            boolean integral = services.config.jobs().integralDifficulty();
            known = new Stamped(network, floor, DifficultyStamp.of(state.desired, floor, network, integral));
            services.lastStamped = known;
        }
        last = known;
        return known.difficulty();
    }

    private JobDifficulty weighted(JobDifficulty stamped, WorkerIdentity worker) {
        Map<String, BigInteger> weights = services.config.identity().weights();
        if (weights.isEmpty()) {
            return stamped;
        }
        BigInteger weight = weights.getOrDefault(worker.username(), weights.get(worker.payoutAddress()));
        return weight == null ? stamped : DifficultyStamp.weighted(stamped, weight);
    }

    /** The node leaves the bits of the mask free: with them cleared all formulas of firmware agree (spec 02 §5.5). */
    private int version(SharedWork work) {
        int mask = services.config.jobs().versionMask();
        int version = work.template().version();
        if ((version & mask) != 0 && services.clearedBitsLogged.compareAndSet(false, true)) {
            LOG.atWarn()
                    .addKeyValue("version", version)
                    .addKeyValue("mask", mask)
                    .log("template sets version bits that miners may roll; they are cleared");
        }
        return version & ~mask;
    }

    /** Notes that the last byte of a job's update was handed to the kernel (spec 02 §3.2). */
    void delivered(JobContext job) {
        JobDifficulty difficulty = job.difficulty();
        state.current = difficulty.satisfied() ? difficulty.desired() : difficulty.exact();
        Hash256 parent = job.work().template().parent();
        if (state.tipWork.isEmpty() || !state.tipWork.get().tip().equals(parent)) {
            state.tipWork = Optional.of(new TipWork(parent, services.now()));
        }
        state.hasWork = true;
        if (state.budgeted != job.work()) {
            state.budgeted = job.work();
            int notifyBytes = job.work().fragment(job.version()).notifyBytes();
            services.budgets.check(state.listener, state.agent, job.work(), notifyBytes);
        }
        state.publish();
    }
}

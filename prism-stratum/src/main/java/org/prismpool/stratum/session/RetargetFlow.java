package org.prismpool.stratum.session;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobOutcome;
import org.prismpool.stratum.JobPurpose;
import org.prismpool.stratum.JobRequest;
import org.prismpool.stratum.StratumMetrics.IdleSkip;
import org.prismpool.stratum.vardiff.VardiffStep;
import org.prismpool.stratum.vardiff.VardiffWindow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes the difficulty of one session together with a job that carries it (spec 02 §8). Confined to the event loop. */
final class RetargetFlow {

    static final Duration THROTTLE = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(RetargetFlow.class);
    private static final Duration OUTCOME_LIMIT = Duration.ofSeconds(60);

    private final Session session;
    private final SessionState state;
    private @Nullable IdleChange idleChange; // idle step whose job is not stamped yet

    /** A step down for silence: it holds only as long as the silence does. */
    private record IdleChange(long ticket, BigDecimal prior) {}

    RetargetFlow(Session session) {
        this.session = session;
        this.state = session.state;
    }

    private boolean vardiff() {
        return session.services.config.difficulty().vardiff();
    }

    void countSubmitted() {
        IdleChange silenced = idleChange;
        if (silenced != null) {
            idleChange = null;
            state.desired = silenced.prior();
            state.activeTicket = 0;
            state.publish();
        }
        if (vardiff()) {
            state.window.countSubmitted();
        }
    }

    /** Counts an accepted share of a job on the session that submitted it. */
    void countAccepted(JobContext job) {
        state.everAccepted = true;
        if (vardiff()) {
            state.window.countAccepted(job.difficulty().exact());
        }
    }

    /** Decides at the end of a window; called after the acknowledgement of an accepted share. */
    void afterAccepted() {
        long now = session.services.now();
        if (!vardiff() || state.closing || windowOpen(now) || state.activeTicket != 0) {
            return;
        }
        VardiffWindow.Counts counts = state.window.counts();
        VardiffStep step =
                state.policy.decide(state.desired, state.window.estimate(), counts.work(), counts.elapsedSeconds(now));
        state.window.restart(now);
        state.window.keepEstimate(step.estimate());
        if (step.retarget() && state.eligible()) {
            boolean down = step.next().compareTo(state.desired) < 0;
            JobPurpose purpose = down ? JobPurpose.STEP_DOWN : JobPurpose.STEP_UP;
            change(step.next(), purpose, outcome -> remember(outcome, step.next(), true));
        }
    }

    private boolean windowOpen(long now) {
        return !state.window.over(now, state.retargetNanos);
    }

    /** Wants a job with another difficulty for a miner who asked for it. */
    void explicit(BigDecimal difficulty, Consumer<JobOutcome> settled) {
        long generation = ++state.difficultyGeneration;
        change(difficulty, JobPurpose.EXPLICIT, outcome -> {
            if (outcome != JobOutcome.DELIVERED && state.difficultyGeneration == generation) {
                state.difficultyGeneration--;
                state.publish();
            }
            settled.accept(outcome);
        });
    }

    boolean idle() {
        if (!vardiff() || !state.eligible() || !state.hasWork || windowOpen(session.services.now())) {
            return false;
        }
        VardiffWindow.Counts counts = state.window.counts();
        return counts.silent() && idleDecision(counts).retarget();
    }

    private VardiffStep idleDecision(VardiffWindow.Counts counts) {
        BigDecimal elapsed = counts.elapsedSeconds(session.services.now());
        return state.policy.decide(state.desired, Optional.empty(), BigDecimal.ZERO, elapsed);
    }

    void stepDownIdle(Session.IdleDone done) {
        Optional<IdleSkip> skip = idleSkip();
        if (skip.isPresent()) {
            done.ended(skip, false, false);
            return;
        }
        VardiffWindow.Counts before = state.window.counts();
        BigDecimal next = idleDecision(before).next();
        idleChange = new IdleChange(state.lastTicket + 1, state.desired);
        change(next, JobPurpose.IDLE_STEP_DOWN, outcome -> {
            idleChange = null;
            if (outcome == JobOutcome.DELIVERED) {
                state.window.keepEstimate(Optional.empty());
            } else {
                state.window.restoreIfUntouched(before, state.window.counts().startNanos());
            }
            remember(outcome, next, false);
            boolean failed = outcome == JobOutcome.BUILD_FAILED || outcome == JobOutcome.SEND_FAILED;
            done.ended(skipped(outcome), failed, outcome == JobOutcome.DELIVERED);
        });
    }

    private Optional<IdleSkip> idleSkip() {
        if (state.closing) {
            return Optional.of(IdleSkip.DISCONNECTED);
        }
        if (!idle()) {
            return Optional.of(IdleSkip.NOT_IDLE);
        }
        if (state.activeTicket != 0) {
            return Optional.of(IdleSkip.BUSY);
        }
        return session.services.ports.tips().snapshot().diverged()
                ? Optional.of(IdleSkip.SUPERSEDED)
                : Optional.empty();
    }

    private Optional<IdleSkip> skipped(JobOutcome outcome) {
        return switch (outcome) {
            case BUSY -> Optional.of(IdleSkip.BUSY);
            case SKIPPED -> Optional.of(idleSkip().orElse(IdleSkip.SUPERSEDED));
            case DELIVERED, BUILD_FAILED, SEND_FAILED -> Optional.empty();
        };
    }

    /** A job is being frozen: a step down for silence becomes final and opens a new window. */
    void stamping() {
        if (idleChange != null) {
            idleChange = null;
            state.window.restart(session.services.now());
        }
    }

    private void change(BigDecimal next, JobPurpose purpose, Consumer<JobOutcome> settled) {
        BigDecimal prior = state.desired;
        long ticket = ++state.lastTicket;
        state.activeTicket = ticket;
        state.desired = next;
        state.publish();
        Once once = new Once(outcome -> settle(ticket, next, prior, outcome, settled));
        JobRequest request = new JobRequest(state.epoch(), purpose, ticket);
        CompletionStage<JobOutcome> stage =
                PortCall.of(() -> session.services.ports.issuer().requestRetarget(session, request));
        CompletionStage<?> unused = stage.whenComplete((outcome, fault) -> {
            if (fault != null) {
                LOG.atWarn().setCause(fault).addKeyValue("connection", state.id).log("job request failed");
            }
            JobOutcome result = fault == null ? outcome : JobOutcome.BUILD_FAILED;
            session.goOn(() -> once.run(result));
        });
        if (!once.ran) {
            session.wire.schedule(() -> once.run(JobOutcome.SKIPPED), OUTCOME_LIMIT);
        }
    }

    // The very object of this request: a later request for an equal value is another one.
    @SuppressWarnings("ReferenceEquality")
    private boolean isStill(BigDecimal next) {
        return state.desired == next;
    }

    private void settle(
            long ticket, BigDecimal next, BigDecimal prior, JobOutcome result, Consumer<JobOutcome> settled) {
        boolean held = state.activeTicket == ticket;
        JobOutcome outcome = held || result != JobOutcome.DELIVERED ? result : JobOutcome.SKIPPED;
        if (held) {
            state.activeTicket = 0;
        }
        if (outcome != JobOutcome.DELIVERED && isStill(next)) {
            state.desired = prior;
        }
        if (outcome == JobOutcome.BUILD_FAILED) {
            session.services.metrics().jobBuildFailed();
        }
        state.publish();
        settled.accept(outcome);
    }

    private void remember(JobOutcome outcome, BigDecimal difficulty, boolean shareBacked) {
        if (outcome == JobOutcome.DELIVERED && !state.username.isEmpty()) {
            session.services.memory.record(
                    state.listener.name(), state.username, difficulty, shareBacked, session.services.now());
        }
    }

    /** Remembers the delivered difficulty, never a wanted one that was not delivered. */
    void rememberOnDisconnect() {
        if (vardiff() && state.hasWork && !state.username.isEmpty()) {
            session.services.memory.record(
                    state.listener.name(), state.username, state.current, state.everAccepted, session.services.now());
        }
    }

    /** Checks at the moment of stamping that the session has not outgrown a request (spec 02 §8.6). */
    boolean stillWanted(JobRequest request) {
        if (!state.eligible() || request.epoch().connectionId() != state.id) {
            return false;
        }
        return switch (request.purpose()) {
            case INITIAL -> request.epoch().equals(state.epoch());
            case EXPLICIT, STEP_UP, STEP_DOWN, IDLE_STEP_DOWN -> request.ticket() == state.activeTicket;
            case NEW_WORK, SAME_TIP, KEEP_ALIVE -> true;
        };
    }

    /** Passes the first outcome on and ignores later ones. */
    private static final class Once {
        private final Consumer<JobOutcome> target;
        private boolean ran;

        Once(Consumer<JobOutcome> target) {
            this.target = target;
        }

        void run(JobOutcome outcome) {
            if (!ran) {
                ran = true;
                target.accept(outcome);
            }
        }
    }
}

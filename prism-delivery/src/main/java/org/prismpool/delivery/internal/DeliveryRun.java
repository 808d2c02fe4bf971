package org.prismpool.delivery.internal;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.prismpool.delivery.CurrentState;
import org.prismpool.delivery.DeliveryGate;
import org.prismpool.delivery.DeliveryMetrics.Stage;
import org.prismpool.delivery.DeliveryOutcome;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.JobTarget;
import org.prismpool.delivery.WorkKey;

/**
 * The one commit sequence of all lanes (spec 07 §7.3): slot, checks, payout gate, fan-out admission, commit on the event
 * loop, one write, proof. Nothing blocks: each wait is a continuation, given up by the timer.
 *
 * <p>The slot is held until the pair is handed to the connection. A pair that the kernel does not take within the slot
 * bound leaves the payout gate undelivered, so that a stuck client never holds a publication up; its proof follows when
 * the bytes are gone.
 */
final class DeliveryRun<W, J> {

    private final DeliveryContext<W, J> context;
    private final ConnectionJobs<W, J> connection;
    private final DeliveryOrder<W> order;
    private final CompletableFuture<Void> handedOver = new CompletableFuture<>();
    private final CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
    private final AtomicBoolean claimed = new AtomicBoolean(); // by the commit, or by the timer that gives it up
    private final long startedNanos;

    private DeliveryRun(DeliveryContext<W, J> context, ConnectionJobs<W, J> connection, DeliveryOrder<W> order) {
        this.context = context;
        this.connection = connection;
        this.order = order;
        this.startedNanos = context.now();
        DeliveryContext.whenDone(outcome, (done, failure) -> {
            handedOver.complete(null);
            context.metrics().delivery(context.now() - startedNanos);
        });
    }

    static <W, J> DeliveryRun<W, J> start(
            DeliveryContext<W, J> context, ConnectionJobs<W, J> connection, DeliveryOrder<W> order) {
        DeliveryRun<W, J> run = new DeliveryRun<>(context, connection, order);
        run.awaitSlot();
        return run;
    }

    /** Completes as soon as only the kernel is missing, at the latest with the outcome. */
    CompletableFuture<Void> handedOver() {
        return handedOver;
    }

    CompletableFuture<DeliveryOutcome> outcome() {
        return outcome;
    }

    private void awaitSlot() {
        if (order.policy().tryOnly()) {
            connection.slot.tryAcquire().ifPresentOrElse(this::withSlot, () -> end(DeliveryOutcome.SLOT_BUSY));
            return;
        }
        long deadline = context.after(context.config.bounds().slot());
        CompletableFuture<Optional<DeliverySlot.Hold>> hold = connection.slot.acquire(deadline);
        if (!hold.isDone()) {
            context.waits.add(() -> {
                if (!order.current().getAsBoolean()) {
                    hold.complete(Optional.empty());
                }
                connection.slot.expire();
                return hold.isDone();
            });
        }
        DeliveryContext.whenDone(hold, (taken, impossible) -> {
            context.metrics().stage(Stage.CLIENT_LOCK, context.now() - startedNanos);
            taken.ifPresentOrElse(this::withSlot, this::slotMissed);
        });
    }

    private void slotMissed() {
        boolean stale = !order.current().getAsBoolean();
        boolean closing = connection.target.state().closing();
        context.metrics().cancelled(Stage.CLIENT_LOCK);
        end(closing ? DeliveryOutcome.DISCONNECTED : stale ? DeliveryOutcome.STALE : DeliveryOutcome.SLOT_BUSY);
    }

    private void withSlot(DeliverySlot.Hold hold) {
        long gateStarted = context.now();
        long gateDeadline = context.after(context.config.bounds().gate());
        try {
            Optional<DeliveryOutcome> refused = unwanted();
            if (refused.isPresent()) {
                hold.release();
                end(refused.get());
                return;
            }
        } catch (RuntimeException fault) {
            failed(hold, fault);
            return;
        }
        if (!tryGate(hold, gateStarted, gateDeadline)) {
            context.waits.add(() -> tryGate(hold, gateStarted, gateDeadline));
        }
    }

    /** Asks the gate once; true unless it must be asked again. */
    private boolean tryGate(DeliverySlot.Hold hold, long gateStarted, long gateDeadline) {
        try {
            return askGate(hold, gateStarted, gateDeadline);
        } catch (RuntimeException fault) {
            failed(hold, fault);
            return true;
        }
    }

    private void failed(DeliverySlot.Hold hold, RuntimeException fault) {
        hold.release();
        context.fault("delivery", fault);
        end(DeliveryOutcome.FAILED);
    }

    private boolean askGate(DeliverySlot.Hold hold, long gateStarted, long gateDeadline) {
        DeliveryGate.Answer answer = order.current().getAsBoolean()
                ? context.ports
                        .gate()
                        .tryAdmit(
                                order.work().key().payoutGeneration(),
                                order.policy().priority())
                : new DeliveryGate.Refused("obsolete");
        boolean late = context.now() - gateDeadline >= 0;
        if (answer instanceof DeliveryGate.Wait && !late) {
            return false;
        }
        context.metrics().stage(Stage.PAYOUT_GATE, context.now() - gateStarted);
        if (answer instanceof DeliveryGate.Admitted admitted) {
            post(hold, new GatePass(admitted.pass()));
        } else {
            hold.release();
            context.metrics().cancelled(Stage.PAYOUT_GATE);
            end(DeliveryOutcome.GATE_REFUSED);
        }
        return true;
    }

    private void post(DeliverySlot.Hold hold, GatePass pass) {
        try {
            connection.target.execute(() -> commit(hold, pass));
        } catch (RejectedExecutionException gone) {
            pass.leave(false);
            hold.release();
            end(DeliveryOutcome.DISCONNECTED);
            return;
        }
        // The slot stays taken until the loop comes to the task: a stuck loop keeps later deliveries out and is
        // retired by the timer, but nobody waits for it.
        long deadline = context.after(context.config.bounds().slot());
        if (!claimed.get()) {
            context.waits.add(() -> {
                if (context.now() - deadline >= 0 && claimed.compareAndSet(false, true)) {
                    pass.leave(false);
                    context.metrics().cancelled(Stage.CLIENT_LOCK);
                    end(DeliveryOutcome.SLOT_BUSY);
                }
                return claimed.get();
            });
        }
    }

    private void commit(DeliverySlot.Hold hold, GatePass pass) {
        boolean sending = false;
        boolean admitted = false;
        try {
            if (!claimed.compareAndSet(false, true)) {
                return; // given up
            }
            admitted = order.policy().admission().begin();
            Optional<DeliveryOutcome> refused = admitted ? checked() : Optional.of(DeliveryOutcome.STALE);
            if (refused.isPresent()) {
                end(refused.get());
            } else {
                IssuedJob<J> job = register();
                sending = true;
                send(job, pass);
            }
        } catch (RuntimeException fault) {
            context.metrics().buildFailed();
            context.fault("commit", fault);
            end(DeliveryOutcome.FAILED);
        } finally {
            if (!sending) {
                pass.leave(false);
            }
            if (admitted) {
                order.policy().admission().end();
            }
            hold.release();
        }
    }

    private Optional<DeliveryOutcome> unwanted() {
        JobTarget.TargetState state = connection.target.state();
        if (!state.open()) {
            return Optional.of(DeliveryOutcome.DISCONNECTED);
        }
        if (order.generations()
                .filter(wanted -> !wanted.equals(state.generations()))
                .isPresent()) {
            return Optional.of(DeliveryOutcome.CANCELLED);
        }
        if (!order.current().getAsBoolean()) {
            return Optional.of(DeliveryOutcome.STALE);
        }
        CurrentState now = context.ports.work().state();
        WorkKey key = order.work().key();
        boolean intervened = order.policy()
                .captured()
                .filter(captured -> JobRules.intervened(
                        captured.jobId(),
                        connection.current(),
                        key,
                        now.payout().generation(),
                        now.epoch().isPresent()))
                .isPresent();
        boolean belowFloor = now.epoch().isPresent() && key.epoch() < connection.epochFloor();
        boolean served = order.policy().unlessServed()
                && JobRules.holdsPublishedWork(connection.current(), state.generations(), now);
        return intervened || belowFloor || served ? Optional.of(DeliveryOutcome.NOT_NEEDED) : Optional.empty();
    }

    /** The checks of the commit instant, on the event loop: nothing can move between them and the registration. */
    private Optional<DeliveryOutcome> checked() {
        Optional<DeliveryOutcome> refused = unwanted();
        if (refused.isPresent()) {
            return refused;
        }
        CurrentState now = context.ports.work().state();
        WorkKey key = order.work().key();
        boolean allowed =
                now.pays(key) && JobRules.tipAllows(key, now, order.policy().liveValidated());
        return allowed ? Optional.empty() : Optional.of(DeliveryOutcome.STALE);
    }

    private IssuedJob<J> register() {
        long started = context.now();
        WorkKey key = order.work().key();
        boolean clean = order.policy().alwaysClean()
                || JobRules.clean(connection.current().map(IssuedJob::key), key);
        String jobId = context.nextJobId();
        JobTarget.TargetState state = connection.target.state();
        J payload = connection.target.stamp(order.work(), jobId, clean);
        IssuedJob<J> job =
                new IssuedJob<>(jobId, connection.id, state.generations(), key, clean, payload, context.now());
        context.retain(connection.register(job));
        context.metrics().stage(Stage.STAMP, context.now() - started);
        return job;
    }

    private void send(IssuedJob<J> job, GatePass pass) {
        long started = context.now();
        CompletableFuture<Void> done = new CompletableFuture<>();
        connection.target.send(job, () -> stillWanted(job)).whenComplete((written, failure) -> {
            done.complete(null);
            context.metrics().stage(Stage.SOCKET_SEND, context.now() - started);
            if (failure != null) {
                pass.leave(false);
                connection.target.disconnect(JobTarget.DisconnectReason.SEND_FAILED);
                end(DeliveryOutcome.DISCONNECTED);
            } else if (Boolean.TRUE.equals(written)) {
                pass.leave(true);
                proven(job);
                end(DeliveryOutcome.SENT);
            } else {
                pass.leave(false);
                connection.dropped(job);
                end(DeliveryOutcome.STALE);
            }
        });
        handedOver.complete(null);
        lingering(pass, done);
    }

    /**
     * A pair that stays unsent gives the gate back and stops being waited for; the connection keeps it, until it is older
     * than a send may be.
     */
    private void lingering(GatePass pass, CompletableFuture<Void> written) {
        if (written.isDone()) {
            return;
        }
        long busyAt = context.after(context.config.bounds().slot());
        long deadAt = context.after(context.config.bounds().send());
        context.waits.add(() -> {
            if (!written.isDone() && !outcome.isDone() && context.now() - busyAt >= 0) {
                pass.leave(false);
                context.metrics().cancelled(Stage.CLIENT_LOCK);
                end(DeliveryOutcome.SLOT_BUSY);
            }
            if (!written.isDone() && context.now() - deadAt >= 0) {
                connection.target.disconnect(JobTarget.DisconnectReason.DELIVERY_STUCK);
                return true;
            }
            return written.isDone();
        });
    }

    private boolean stillWanted(IssuedJob<J> job) {
        return order.current().getAsBoolean()
                && context.ports.work().state().pays(job.key())
                && !order.policy().admission().closed();
    }

    private void proven(IssuedJob<J> job) {
        long now = context.now();
        connection.delivered(job, now);
        context.coverage.delivered(connection.id, job.key().epoch(), now);
        context.guarded("delivered", () -> context.ports.listener().delivered(job));
    }

    private void end(DeliveryOutcome result) {
        outcome.complete(result);
    }

    /** A gate pass that is left once. */
    private static final class GatePass {

        private final DeliveryGate.Pass pass;
        private final AtomicBoolean left = new AtomicBoolean();

        private GatePass(DeliveryGate.Pass pass) {
            this.pass = pass;
        }

        private void leave(boolean delivered) {
            if (left.compareAndSet(false, true)) {
                pass.leave(delivered);
            }
        }
    }
}

package org.prismpool.delivery.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import org.prismpool.delivery.DeliveryMetrics.FirstJobResult;
import org.prismpool.delivery.FirstJobOutcome;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.JobTarget.DisconnectReason;

/**
 * The first-job admissions as a pure state machine (spec 07 §7.2): at most one entry for each connection, at most
 * {@code bound} entries, and every entry leaves with exactly one result. Immutable.
 *
 * @param bound most entries
 * @param entries pending requests
 * @param nextTask number of the next task
 * @param closed whether new requests are refused
 */
record FirstJobMachine(int bound, ByConnection<Entry> entries, long nextTask, boolean closed) {

    static FirstJobMachine empty(int bound) {
        return new FirstJobMachine(bound, ByConnection.empty(), 1, false);
    }

    /** Where a request stands. */
    enum Phase {
        /** Its task is in the executor's queue. */
        QUEUED,
        /** Its task runs. */
        RUNNING,
        /** The task of the request that it replaced still runs; its own is not submitted. */
        WAITING,
        /** Its time is over; it keeps its place until the connection is marked as closing. */
        EXPIRED
    }

    /**
     * One request.
     *
     * @param generations the connection's tuple
     * @param requestedNanos monotonic instant of the request
     * @param deadlineNanos monotonic instant of its end; empty for none
     * @param task its task
     * @param phase where it stands
     * @param predecessor task that it waits for
     */
    record Entry(
            Generations generations,
            long requestedNanos,
            OptionalLong deadlineNanos,
            long task,
            Phase phase,
            OptionalLong predecessor) {

        boolean over(long nowNanos) {
            return deadlineNanos.isPresent() && nowNanos - deadlineNanos.getAsLong() >= 0;
        }

        private Entry in(Phase next) {
            return new Entry(generations, requestedNanos, deadlineNanos, task, next, OptionalLong.empty());
        }
    }

    /**
     * A request as it comes in.
     *
     * @param connection the connection
     * @param generations its tuple
     * @param nowNanos monotonic now
     * @param deadlineNanos end; empty for none
     * @param open whether the connection may receive jobs
     * @param served whether it has the current work already
     */
    record Request(
            long connection,
            Generations generations,
            long nowNanos,
            OptionalLong deadlineNanos,
            boolean open,
            boolean served) {}

    /** What the shell must do, in order, after it stored the new state. */
    sealed interface Effect {}

    record Submit(long task, long connection, Entry entry) implements Effect {}

    record CancelTask(long task, boolean queued) implements Effect {}

    record Disconnect(long connection, DisconnectReason reason) implements Effect {}

    /** Follows the disconnect of an expired entry, which has kept its place until then. */
    record Vacate(long connection, long task) implements Effect {}

    record Count(FirstJobResult result) implements Effect {}

    record CountTimeout() implements Effect {}

    record CountRejected() implements Effect {}

    record CountDelivered(long nanos) implements Effect {}

    /**
     * A transition.
     *
     * @param next the new state
     * @param effects what to do
     */
    record Step(FirstJobMachine next, List<Effect> effects) {}

    /**
     * A transition with an answer for the caller.
     *
     * @param outcome what became of the request
     */
    record Admission(FirstJobMachine next, List<Effect> effects, FirstJobOutcome outcome) {}

    /** How a task ended. */
    enum TaskEnd {
        /** The connection has its work, from this task or from a fan-out. */
        SENT,
        /** The connection or the request is gone. */
        WITHDRAWN,
        /** It gave up, or its time was over. */
        FAILED
    }

    Admission request(Request request) {
        Optional<Entry> own = Optional.ofNullable(entries.get(request.connection()));
        if (closed) {
            return new Admission(this, List.of(), FirstJobOutcome.CLOSED);
        }
        if (!request.open()
                || own.filter(entry -> entry.phase() == Phase.EXPIRED).isPresent()) {
            return new Admission(this, List.of(), FirstJobOutcome.NOT_ELIGIBLE);
        }
        if (request.served()) {
            Step gone = withdraw(request.connection());
            return new Admission(gone.next(), gone.effects(), FirstJobOutcome.ALREADY_SERVED);
        }
        if (own.isPresent()) {
            return own.get().generations().equals(request.generations())
                    ? new Admission(this, List.of(new Count(FirstJobResult.COALESCED)), FirstJobOutcome.COALESCED)
                    : replace(request, own.get());
        }
        if (entries.size() >= bound) {
            return new Admission(
                    this,
                    List.of(
                            new CountRejected(),
                            new Disconnect(request.connection(), DisconnectReason.FIRST_JOB_QUEUE_FULL)),
                    FirstJobOutcome.REJECTED);
        }
        Entry entry = entry(request, Phase.QUEUED, OptionalLong.empty());
        return new Admission(
                with(request.connection(), entry),
                List.of(new Submit(entry.task(), request.connection(), entry)),
                FirstJobOutcome.QUEUED);
    }

    /** The replacement is in place before the old task is cancelled, and takes no second place in the queue. */
    private Admission replace(Request request, Entry old) {
        List<Effect> effects = new ArrayList<>();
        effects.add(new Count(FirstJobResult.CANCELLED));
        effects.add(new Count(FirstJobResult.SUPERSEDED));
        Entry entry;
        switch (old.phase()) {
            case QUEUED -> {
                entry = entry(request, Phase.QUEUED, OptionalLong.empty());
                effects.add(new CancelTask(old.task(), true));
                effects.add(new Submit(entry.task(), request.connection(), entry));
            }
            case RUNNING -> {
                entry = entry(request, Phase.WAITING, OptionalLong.of(old.task()));
                effects.add(new CancelTask(old.task(), false));
            }
            default -> entry = entry(request, Phase.WAITING, old.predecessor());
        }
        return new Admission(with(request.connection(), entry), effects, FirstJobOutcome.REPLACED);
    }

    /** A worker takes a task; only the task of a queued entry may run. */
    Optional<FirstJobMachine> started(long connection, long task) {
        return Optional.ofNullable(entries.get(connection))
                .filter(entry -> entry.task() == task && entry.phase() == Phase.QUEUED)
                .map(entry -> with(connection, entry.in(Phase.RUNNING)));
    }

    /** A task ended. */
    Step finished(long connection, long task, TaskEnd end, long nowNanos) {
        Optional<Entry> own = Optional.ofNullable(entries.get(connection));
        if (own.isEmpty()) {
            return unchanged();
        }
        Entry entry = own.get();
        if (entry.phase() == Phase.WAITING && entry.predecessor().orElse(0) == task) {
            Entry queued = entry.in(Phase.QUEUED);
            return new Step(with(connection, queued), List.of(new Submit(queued.task(), connection, queued)));
        }
        if (entry.task() != task || entry.phase() != Phase.RUNNING) {
            return unchanged();
        }
        return switch (end) {
            case SENT -> new Step(without(connection), sent(entry, nowNanos));
            case WITHDRAWN -> new Step(without(connection), List.of(new Count(FirstJobResult.CANCELLED)));
            case FAILED ->
                entry.over(nowNanos)
                        ? expire(connection, entry)
                        : new Step(
                                without(connection),
                                List.of(
                                        new Count(FirstJobResult.FAILED),
                                        new Disconnect(connection, DisconnectReason.FIRST_JOB_FAILED)));
        };
    }

    /** Some lane delivered current work to a connection: its request is done. */
    Step served(long connection, long nowNanos) {
        Optional<Entry> own = Optional.ofNullable(entries.get(connection))
                .filter(entry -> entry.phase() == Phase.QUEUED || entry.phase() == Phase.WAITING);
        if (own.isEmpty()) {
            return unchanged(); // a running task finds out by itself
        }
        List<Effect> effects = new ArrayList<>(sent(own.get(), nowNanos));
        effects.addAll(cancelling(own.get()));
        return new Step(without(connection), effects);
    }

    private static List<Effect> sent(Entry entry, long nowNanos) {
        return List.of(new Count(FirstJobResult.SENT), new CountDelivered(nowNanos - entry.requestedNanos()));
    }

    /** The executor refused a task. A task that was replaced meanwhile must not cost its connection. */
    Step refused(long connection, long task) {
        return Optional.ofNullable(entries.get(connection))
                .filter(entry -> entry.task() == task)
                .map(entry -> new Step(
                        without(connection),
                        closed
                                ? List.<Effect>of(new Count(FirstJobResult.CANCELLED))
                                : List.<Effect>of(
                                        new CountRejected(),
                                        new Disconnect(connection, DisconnectReason.FIRST_JOB_QUEUE_FULL))))
                .orElseGet(this::unchanged);
    }

    /** Expires what is over; each keeps its place until its {@link Vacate}, so that a racing request finds it taken. */
    Step swept(long nowNanos) {
        FirstJobMachine state = this;
        List<Effect> effects = new ArrayList<>();
        for (Map.Entry<Long, Entry> pending : entries.entrySet()) {
            Entry entry = pending.getValue();
            if (entry.phase() != Phase.EXPIRED && entry.over(nowNanos)) {
                Step step = state.expire(pending.getKey(), entry);
                state = step.next();
                effects.addAll(step.effects());
            }
        }
        return new Step(state, effects);
    }

    private Step expire(long connection, Entry entry) {
        List<Effect> effects = new ArrayList<>();
        effects.add(new CountTimeout());
        effects.add(new Count(FirstJobResult.CANCELLED));
        effects.add(new Disconnect(connection, DisconnectReason.FIRST_JOB_TIMEOUT));
        effects.addAll(cancelling(entry));
        effects.add(new Vacate(connection, entry.task()));
        return new Step(with(connection, entry.in(Phase.EXPIRED)), effects);
    }

    /** An expired entry gives its place up. */
    FirstJobMachine vacated(long connection, long task) {
        return Optional.ofNullable(entries.get(connection))
                .filter(entry -> entry.task() == task && entry.phase() == Phase.EXPIRED)
                .map(entry -> without(connection))
                .orElse(this);
    }

    /** The connection is gone, or has its work: its request is withdrawn. */
    Step withdraw(long connection) {
        Optional<Entry> own = Optional.ofNullable(entries.get(connection));
        if (own.isEmpty()) {
            return unchanged();
        }
        List<Effect> effects = new ArrayList<>();
        if (own.get().phase() != Phase.EXPIRED) {
            effects.add(new Count(FirstJobResult.CANCELLED));
            effects.addAll(cancelling(own.get()));
        }
        return new Step(without(connection), effects);
    }

    /** Refuses new requests and withdraws the pending ones. */
    Step close() {
        FirstJobMachine state = this;
        List<Effect> effects = new ArrayList<>();
        for (Long connection : entries.keySet()) {
            Step step = state.withdraw(connection);
            state = step.next();
            effects.addAll(step.effects());
        }
        return new Step(new FirstJobMachine(bound, state.entries, state.nextTask, true), effects);
    }

    /** Returns since when the oldest request of the wanted connections is pending. */
    OptionalLong oldestRequestNanos(LongPredicate wanted) {
        return entries.entrySet().stream()
                .filter(entry -> wanted.test(entry.getKey()))
                .mapToLong(entry -> entry.getValue().requestedNanos())
                .min();
    }

    private static List<Effect> cancelling(Entry entry) {
        return switch (entry.phase()) {
            case QUEUED -> List.of(new CancelTask(entry.task(), true));
            case RUNNING -> List.of(new CancelTask(entry.task(), false));
            case WAITING, EXPIRED -> List.of();
        };
    }

    private Entry entry(Request request, Phase phase, OptionalLong predecessor) {
        return new Entry(
                request.generations(), request.nowNanos(), request.deadlineNanos(), nextTask, phase, predecessor);
    }

    private FirstJobMachine with(long connection, Entry entry) {
        return new FirstJobMachine(
                bound, entries.with(connection, entry), Math.max(nextTask, entry.task() + 1), closed);
    }

    private FirstJobMachine without(long connection) {
        return new FirstJobMachine(bound, entries.without(connection), nextTask, closed);
    }

    private Step unchanged() {
        return new Step(this, List.of());
    }
}

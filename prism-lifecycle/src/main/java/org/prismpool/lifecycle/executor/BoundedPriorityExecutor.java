package org.prismpool.lifecycle.executor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks by priority on a fixed number of threads with a bounded queue; what is full is refused, never blocked.
 *
 * <p>Lower priority numbers run first, equal ones in the order of admission; with an aging step every waiting entry rises
 * by one priority per step, so none starves. Only queued entries count against the capacity. A cancelled entry frees its
 * slot before {@link #cancel} returns; a running task is never interrupted.
 *
 * <p>Thread-safe. All state is guarded by one lock that is held only to move entries: tasks and callbacks run outside it
 * and may call any method of the same executor. Everything before {@link #submit} happens-before the task, and the task
 * happens-before the completion of its ticket. Source: spec 07 section 8.
 */
public final class BoundedPriorityExecutor implements AutoCloseable {

    private final ExecutorConfig config;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityLanes waiting; // guarded by lock, like every counter below
    private final List<Thread> workers = new ArrayList<>(); // written only while starting
    private boolean closed;
    private int active;
    private long admitted;
    private long completed;
    private long failed;
    private long cancelled;
    private long rejectedFull;
    private long rejectedClosed;

    private BoundedPriorityExecutor(ExecutorConfig config) {
        this.config = config;
        this.waiting = new PriorityLanes(config.agingStep());
    }

    /**
     * Starts the workers.
     *
     * @param config shape of the executor
     * @return the running executor; the caller closes it
     * @throws RuntimeException what the thread factory threw; the threads started before are told to end
     */
    public static BoundedPriorityExecutor start(ExecutorConfig config) {
        BoundedPriorityExecutor executor = new BoundedPriorityExecutor(config);
        boolean started = false;
        try {
            executor.startWorkers();
            started = true;
        } finally {
            if (!started) {
                executor.close(CloseMode.CANCEL_QUEUED, Duration.ZERO);
            }
        }
        return executor;
    }

    /**
     * Queues a task. Never blocks and never runs the task on the calling thread.
     *
     * @param priority 0 or more; lower runs first
     * @param task the work; whatever it throws completes the ticket
     * @param <T> what the task returns
     * @return receipt of the queued task
     * @throws QueueFullException if every slot of the queue is taken, whatever the priority
     * @throws ExecutorClosedException if the executor is closed
     */
    public <T extends @Nullable Object> Ticket<T> submit(int priority, Callable<? extends T> task) {
        Objects.requireNonNull(task, "task");
        if (priority < 0) {
            throw new IllegalArgumentException("priority must be 0 or more, not " + priority);
        }
        lock.lock();
        try {
            if (closed) {
                rejectedClosed++;
                throw new ExecutorClosedException(config.name());
            }
            if (waiting.size() >= config.queueCapacity()) {
                rejectedFull++;
                throw new QueueFullException(config.name(), config.queueCapacity());
            }
            Ticket<T> ticket =
                    new Ticket<>(this, task, priority, admitted, config.clock().nanoTime());
            admitted++;
            waiting.add(ticket);
            changed.signal();
            return ticket;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes a queued entry and frees its slot before returning.
     *
     * @param ticket receipt given by this executor
     * @return true if this call removed the entry; false if it runs or has ended, which this call does not change
     * @throws IllegalArgumentException if the ticket is another executor's
     */
    public boolean cancel(Ticket<?> ticket) {
        if (!ticket.belongsTo(this)) {
            throw new IllegalArgumentException("ticket of another executor");
        }
        lock.lock();
        try {
            if (!waiting.remove(ticket)) {
                return false;
            }
            ticket.moveTo(TicketState.CANCELLED);
            cancelled++;
        } finally {
            lock.unlock();
        }
        ticket.settleCancelled();
        return true;
    }

    /**
     * Returns one consistent reading. Its cost does not depend on the number of queued entries.
     *
     * @return a copy
     */
    public ExecutorStats stats() {
        lock.lock();
        try {
            return new ExecutorStats(
                    waiting.size(),
                    active,
                    completed,
                    failed,
                    cancelled,
                    rejectedFull,
                    rejectedClosed,
                    waiting.oldestAges(config.clock().nanoTime()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the executor and waits for its workers; may be repeated, and a later {@link CloseMode#CANCEL_QUEUED} also
     * cancels what an earlier {@link CloseMode#DRAIN} left queued.
     *
     * <p>Called on a worker thread it waits for the others only. An interrupt ends the wait and stays set.
     *
     * @param mode what happens to queued entries
     * @param wait longest real time to wait for the workers; zero does not wait
     * @return names of the worker threads that are still alive
     */
    public List<String> close(CloseMode mode, Duration wait) {
        List<Ticket<?>> removed = List.of();
        lock.lock();
        try {
            closed = true;
            if (mode == CloseMode.CANCEL_QUEUED) {
                removed = waiting.removeAll();
                removed.forEach(ticket -> ticket.moveTo(TicketState.CANCELLED));
                cancelled += removed.size();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        removed.forEach(Ticket::settleCancelled);
        joinWorkers(wait);
        return workers.stream().filter(Thread::isAlive).map(Thread::getName).toList();
    }

    /** Cancels what is queued and waits for running tasks up to the configured limit. */
    @Override
    public void close() {
        close(CloseMode.CANCEL_QUEUED, config.closeWait());
    }

    private void startWorkers() {
        for (int i = 0; i < config.workers(); i++) {
            Thread worker = Objects.requireNonNull(
                    config.threadFactory().newThread(this::work), "the thread factory returned no thread");
            worker.start();
            workers.add(worker);
        }
    }

    private void joinWorkers(Duration wait) {
        long start = System.nanoTime(); // real time: it waits for real threads
        long budget = wait.toNanos();
        for (Thread worker : workers) {
            long remaining = budget - (System.nanoTime() - start);
            if (worker == Thread.currentThread() || remaining <= 0L) {
                continue;
            }
            try {
                TimeUnit.NANOSECONDS.timedJoin(worker, remaining);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void work() {
        Optional<Ticket<?>> next = takeNext();
        while (next.isPresent()) {
            run(next.get());
            next = takeNext();
        }
    }

    /** Waits for an entry; empty once the executor is closed and nothing is left to run. */
    private Optional<Ticket<?>> takeNext() {
        lock.lock();
        try {
            while (waiting.size() == 0 && !closed) {
                changed.awaitUninterruptibly();
            }
            Optional<Ticket<?>> next = waiting.takeNext(config.clock().nanoTime());
            next.ifPresent(ticket -> {
                ticket.moveTo(TicketState.RUNNING);
                active++;
            });
            return next;
        } finally {
            lock.unlock();
        }
    }

    private <T extends @Nullable Object> void run(Ticket<T> ticket) {
        Ticket.Outcome<T> outcome = outcomeOf(ticket);
        lock.lock();
        try {
            active--;
            if (outcome.failure() == null) {
                completed++;
                ticket.moveTo(TicketState.SUCCEEDED);
            } else {
                failed++;
                ticket.moveTo(TicketState.FAILED);
            }
        } finally {
            lock.unlock();
        }
        ticket.settle(outcome);
        Thread.interrupted(); // an interrupt meant for this task must not reach the next one
    }

    @SuppressWarnings({"NullAway", "unchecked"}) // the result of a failed task is never read
    private static <T extends @Nullable Object> Ticket.Outcome<T> outcomeOf(Ticket<T> ticket) {
        try {
            return new Ticket.Outcome<>(ticket.task().call(), null);
        } catch (Throwable thrown) { // the loop that owns the thread: any failure belongs to the ticket
            return new Ticket.Outcome<>((T) null, thrown);
        }
    }
}

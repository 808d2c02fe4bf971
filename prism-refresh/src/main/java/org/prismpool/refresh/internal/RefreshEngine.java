package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.ActiveFanout;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.PrewarmOutcome;
import org.prismpool.refresh.PublishedWork;
import org.prismpool.refresh.RefreshClocks;
import org.prismpool.refresh.RefreshCompanions;
import org.prismpool.refresh.RefreshConfig;
import org.prismpool.refresh.RefreshPorts;
import org.prismpool.refresh.RefreshStatus;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.refresh.TipStanding;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.refresh.WorkIdentity;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything behind the facade: the shared core, its two threads, and the events that other owners report.
 *
 * @param <T> the template's type
 * @param <W> the bundle's type
 */
public final class RefreshEngine<T, W> {

    private static final Logger LOG = LoggerFactory.getLogger("org.prismpool.refresh.TipRefresher");

    private final RefreshCore<T, W> core;
    private final TipObserver<T, W> observer;
    private final BlockPoll<T, W> poll;
    private final BlockWait<T, W> wait;
    private final List<Thread> threads = new ArrayList<>(); // guarded by this

    /**
     * Creates an engine at rest.
     *
     * @param config settings
     * @param ports the five neighbours
     * @param companions the optional neighbours
     * @param clocks time and chance
     * @param waits how threads wait
     */
    public RefreshEngine(
            RefreshConfig config,
            RefreshPorts<T, W> ports,
            RefreshCompanions companions,
            RefreshClocks clocks,
            Waits waits) {
        this.core = new RefreshCore<>(config, ports, companions, clocks, waits);
        this.observer = new TipObserver<>(core);
        this.poll = new BlockPoll<>(core, observer);
        this.wait = new BlockWait<>(core, observer);
    }

    /** Starts the threads. */
    public synchronized void start() {
        if (!threads.isEmpty() || core.stop.raised()) {
            throw new IllegalStateException("started before");
        }
        threads.add(new Thread(poll::loop, "prism-refresh-blockpoll"));
        if (core.config.observation().blockWait()) {
            threads.add(new Thread(wait::loop, "prism-refresh-blockwait"));
        }
        threads.forEach(Thread::start);
    }

    /**
     * Stops: no new attempt, the fan-out under way is cancelled, the threads are interrupted and joined.
     *
     * @param atMost longest wait for the threads
     * @return true if every thread ended
     */
    public boolean stop(Duration atMost) {
        core.stop.raise();
        core.retry.close();
        core.cancelFanout(core.authority.get().fanout(), "shutting down");
        Deadline deadline = Deadline.after(atMost, core.clocks.monotonic(), "refresh stop");
        boolean ended = true;
        for (Thread thread : started()) {
            ended &= join(thread, deadline);
        }
        if (!ended) {
            LOG.atWarn().log("refresh threads did not end in time");
        }
        return ended;
    }

    private synchronized List<Thread> started() {
        return List.copyOf(threads);
    }

    private static boolean join(Thread thread, Deadline deadline) {
        if (thread == Thread.currentThread()) {
            return false;
        }
        try {
            thread.interrupt(); // a wait at the node ends at once
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1L, deadline.remainingNanos()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /** Makes one attempt on the calling thread, as the owner's thread would. */
    public void attemptNow() {
        poll.attempt();
    }

    /** Waits for a trigger on the calling thread, as the owner's thread would; false once stopped. */
    boolean awaitTrigger() throws InterruptedException {
        return poll.awaitTrigger();
    }

    /** One round of the block wait on the calling thread; false once the node turned out not to have the call. */
    boolean blockWaitRound() throws InterruptedException {
        return wait.round();
    }

    /**
     * Builds and publishes the first work.
     *
     * @return whether that worked
     */
    public PrewarmOutcome prewarm() {
        return poll.prewarm();
    }

    /**
     * Reserves an observation sequence.
     *
     * @return the next number
     */
    public long reserveObservation() {
        return core.reserveSequence();
    }

    /**
     * Observes a hash.
     *
     * @param hash the best hash that somebody saw
     * @param sequence number reserved before it was asked for
     * @return whether the observation stands
     */
    public boolean observe(Hash256 hash, long sequence) {
        return observer.observe(hash, sequence, true);
    }

    /** A pool block was accepted: look at the live tip and latch a retry, whatever the look gives. */
    public void blockAccepted() {
        long sequence = core.reserveSequence();
        try {
            Deadline deadline = Deadline.after(core.config.bounds().rpc(), core.clocks.monotonic(), "accepted block");
            observe(new NodeCalls<>(core).bestHash(deadline), sequence);
        } catch (RefreshStop unanswered) {
            if (unanswered.kind() != org.prismpool.refresh.FailureKind.SHUTDOWN) {
                core.companions.metrics().postAcceptFailure();
            }
        } finally {
            core.retry.arm();
        }
    }

    /**
     * The payout fence closed.
     *
     * @param nextGeneration generation that will be published next; older fan-outs end
     */
    public void payoutFenced(long nextGeneration) {
        core.cancelFanout(
                PayoutPublication.obsoleteFanout(core.authority.get(), nextGeneration), "payout generation superseded");
        core.demand();
    }

    /**
     * A payout generation was published.
     *
     * @param payout the new state
     */
    public void payoutPublished(PayoutAuthority payout) {
        while (true) {
            WorkAuthority<T, W> seen = core.authority.get();
            PayoutPublication<T, W> step = PayoutPublication.of(seen, payout, core.epochMode());
            if (core.authority.compareAndSet(seen, step.next())) {
                core.cancelFanout(step.obsolete(), "payout generation superseded");
                step.minted()
                        .ifPresent(epoch -> core.tell(
                                "epochMinted", () -> core.companions.listener().epochMinted(epoch)));
                core.demand();
                return;
            }
        }
    }

    /** Something made published work stale or incomplete: a pass must look. */
    public void demand() {
        core.demand();
    }

    /** The pool became ready: retained collection work is void and a pass must look. */
    public void poolReady() {
        core.authority.update(Retention::drop);
        core.demand();
    }

    /** A connection became eligible: retained collection work can be delivered now. */
    public void clientEligible() {
        if (core.authority.get().retainedCollection().isPresent()) {
            core.demand();
        }
    }

    /**
     * A collection job was delivered.
     *
     * @param snapshot the snapshot it was built from
     */
    public void collectionDelivered(TemplateSnapshot<T> snapshot) {
        core.authority.update(seen -> seen.retainedCollection()
                        .filter(retained -> Identity.same(retained.snapshot(), snapshot))
                        .isPresent()
                ? Retention.drop(seen)
                : seen);
    }

    /**
     * Returns the current authority.
     *
     * @return one immutable record
     */
    public WorkAuthority<T, W> authority() {
        return core.authority.get();
    }

    /**
     * Returns what submits and issuance may rely on now.
     *
     * @return one immutable record
     */
    public TipStanding standing() {
        return Standing.of(core.authority.get(), core.config.pacing(), core.now());
    }

    /**
     * Returns the epoch that a job of some work must carry.
     *
     * @param identity the work
     * @return the published epoch's sequence if the work is the published work's, else zero
     */
    public long epochOf(WorkIdentity identity) {
        Optional<PublishedWork<T, W>> work = core.authority.get().work();
        return work.filter(published -> identity.isBuiltFrom(published.snapshot())
                        && identity.payoutGeneration() == core.payout().generation())
                .map(PublishedWork::epoch)
                .orElse(0L);
    }

    /**
     * Returns the exposed phase state.
     *
     * @return one immutable record
     */
    public RefreshStatus status() {
        return core.phases.status(core.ports.builder().helperPid(), core.pending.newestPending());
    }

    /**
     * Returns the ages that watchdogs judge.
     *
     * @return one immutable record
     */
    public RefreshStatus.Ages ages() {
        long now = core.now();
        return new RefreshStatus.Ages(
                age(core.budget.failingSince(), now),
                age(core.budget.coordinatingSince(), now),
                age(core.authority.get().divergenceNanos(), now),
                age(core.pending.sinceNanos(), now));
    }

    /**
     * Tells whether a refresh is pending.
     *
     * @return true while maintenance work should yield
     */
    public boolean refreshPending() {
        return core.pending.pending();
    }

    /**
     * Returns the fan-out under way.
     *
     * @return empty if none
     */
    Optional<ActiveFanout> activeFanout() {
        return core.authority.get().fanout();
    }

    private static OptionalDouble age(OptionalLong since, long now) {
        return since.isPresent() ? OptionalDouble.of((now - since.getAsLong()) / 1e9) : OptionalDouble.empty();
    }
}

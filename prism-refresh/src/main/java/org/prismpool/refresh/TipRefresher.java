package org.prismpool.refresh;

import java.time.Duration;
import java.util.Objects;
import org.prismpool.refresh.internal.RefreshEngine;
import org.prismpool.refresh.internal.Waits;
import org.prismpool.templates.chain.Hash256;

/**
 * Keeps a pool on the newest work: watches the chain, builds and publishes work for each new tip in bounded passes, and
 * has it delivered to everyone. The latest generation wins, nothing stale is published, and every step has a deadline
 * and a visible phase (spec 07 §2 and §3).
 *
 * <p>One thread ({@code prism-refresh-blockpoll}) runs every pass; a second one ({@code prism-refresh-blockwait}) only
 * detects. Thread-safe: all other methods may be called from any thread, never block unless they say so, and end in one
 * compare-and-set of the {@link WorkAuthority}.
 *
 * @param <T> the template's type
 * @param <W> the bundle's type
 */
public final class TipRefresher<T, W> implements AutoCloseable {

    private static final Duration JOIN_LIMIT = Duration.ofSeconds(30);

    private final RefreshEngine<T, W> engine;

    private TipRefresher(RefreshEngine<T, W> engine) {
        this.engine = engine;
    }

    /**
     * Creates a refresher with system clocks.
     *
     * @param config settings
     * @param ports the five neighbours that every refresh needs
     * @param companions the neighbours that may be absent
     * @param <T> the template's type
     * @param <W> the bundle's type
     * @return a refresher that is not started
     */
    public static <T, W> TipRefresher<T, W> create(
            RefreshConfig config, RefreshPorts<T, W> ports, RefreshCompanions companions) {
        return create(config, ports, companions, RefreshClocks.system());
    }

    /**
     * Creates a refresher with given clocks.
     *
     * @param config settings
     * @param ports the five neighbours that every refresh needs
     * @param companions the neighbours that may be absent
     * @param clocks sources of time and chance; pauses between steps are real ones all the same
     * @param <T> the template's type
     * @param <W> the bundle's type
     * @return a refresher that is not started
     */
    public static <T, W> TipRefresher<T, W> create(
            RefreshConfig config, RefreshPorts<T, W> ports, RefreshCompanions companions, RefreshClocks clocks) {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(ports, "ports");
        Objects.requireNonNull(companions, "companions");
        Objects.requireNonNull(clocks, "clocks");
        return new TipRefresher<>(new RefreshEngine<>(config, ports, companions, clocks, Waits.real()));
    }

    /**
     * Fetches, builds and publishes the first work on the calling thread, before miners are admitted. Blocks up to one
     * pass deadline. A failure is not fatal: a retry is latched for {@link #start()}.
     *
     * @return whether work is published
     */
    public PrewarmOutcome prewarm() {
        return engine.prewarm();
    }

    /**
     * Starts the threads.
     *
     * @throws IllegalStateException if started or closed before
     */
    public void start() {
        engine.start();
    }

    /**
     * Stops for good: the fan-out under way is cancelled, no further attempt begins, and the threads are joined for up
     * to 30 s. Idempotent.
     */
    @Override
    public void close() {
        engine.stop(JOIN_LIMIT);
    }

    /**
     * Reserves the sequence number of an observation, before the request that makes it.
     *
     * @return a number above every earlier one
     */
    public long reserveObservation() {
        return engine.reserveObservation();
    }

    /**
     * Reports a best hash that some other owner saw: a template fetch, a live probe. Detects, never publishes.
     *
     * @param hash the best hash
     * @param sequence number from {@link #reserveObservation()}, taken before the request
     * @return true iff the observation is the newest one or agrees with it
     */
    public boolean observe(Hash256 hash, long sequence) {
        return engine.observe(Objects.requireNonNull(hash, "hash"), sequence);
    }

    /**
     * Reports that the node accepted a block of this pool. Asks the node for its tip (blocks up to one RPC timeout) and
     * latches a retry in all cases.
     */
    public void blockAccepted() {
        engine.blockAccepted();
    }

    /**
     * Reports that the payout fence closed: fan-outs of older generations end and a pass follows.
     *
     * @param nextGeneration the generation that will be published next
     */
    public void payoutFenced(long nextGeneration) {
        engine.payoutFenced(nextGeneration);
    }

    /**
     * Reports a payout publication; to be called inside its atomic swap. Mints an epoch in epoch mode.
     *
     * @param payout the new payout state
     */
    public void payoutPublished(PayoutAuthority payout) {
        engine.payoutPublished(Objects.requireNonNull(payout, "payout"));
    }

    /** Reports that published work became stale for another reason, as a moved append epoch: a pass follows. */
    public void demandRefresh() {
        engine.demand();
    }

    /** Reports that the readiness latch was set. */
    public void poolReady() {
        engine.poolReady();
    }

    /** Reports that a connection became eligible for jobs; collection work without a receiver is delivered then. */
    public void clientEligible() {
        engine.clientEligible();
    }

    /**
     * Reports that a collection job was delivered outside a fan-out.
     *
     * @param snapshot the snapshot that it was built from
     */
    public void collectionDelivered(TemplateSnapshot<T> snapshot) {
        engine.collectionDelivered(Objects.requireNonNull(snapshot, "snapshot"));
    }

    /**
     * Returns what the pool works on.
     *
     * @return one immutable record
     */
    public WorkAuthority<T, W> authority() {
        return engine.authority();
    }

    /**
     * Returns what a submit or an issuance may rely on at this instant; cheap, one volatile read.
     *
     * @return one immutable record
     */
    public TipStanding standing() {
        return engine.standing();
    }

    /**
     * Returns the epoch sequence that a job must carry.
     *
     * @param identity identity of the job's work
     * @return the published epoch if the work belongs to it, else zero
     */
    public long epochOf(WorkIdentity identity) {
        return engine.epochOf(Objects.requireNonNull(identity, "identity"));
    }

    /**
     * Returns the driver's state for health bodies and fatal events.
     *
     * @return one immutable record
     */
    public RefreshStatus status() {
        return engine.status();
    }

    /**
     * Returns the ages that watchdogs judge.
     *
     * @return one immutable record
     */
    public RefreshStatus.Ages ages() {
        return engine.ages();
    }

    /**
     * Tells whether a refresh is pending; maintenance work yields while it is.
     *
     * @return true from the first unresolved change until a pass resolved it
     */
    public boolean refreshPending() {
        return engine.refreshPending();
    }
}

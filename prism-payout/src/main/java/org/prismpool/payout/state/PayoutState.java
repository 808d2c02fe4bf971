package org.prismpool.payout.state;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the payout state of the pool: which source of balances is current, which generation is published, who may
 * deliver under it, and what accepted but unconfirmed blocks and late share rows mean for work.
 *
 * <p>Thread-safe. Methods that take a {@link Deadline} may block until it; all others return at once, apart from the
 * few microseconds of a swap in progress. It starts fenced at generation 0: nothing is delivered before the first
 * publication.
 */
public final class PayoutState {

    private static final Logger LOG = LoggerFactory.getLogger(PayoutState.class);
    private static final Duration RENEWAL_TIMEOUT =
            Duration.ofSeconds(1); // of the 5 s that children wait for a preview

    private final PayoutStateConfig config;
    private final PayoutEvents events;
    private final PayoutGate gate;
    private final GatePublisher publisher;
    private final AcceptedParentBarrier parents;
    private final AppendFence appends;

    /**
     * Creates the state of a process that has published nothing.
     *
     * @param config settings
     * @param ports what the state needs from others
     * @param clock monotonic clock
     */
    public PayoutState(PayoutStateConfig config, PayoutStatePorts ports, MonotonicClock clock) {
        this.config = config;
        this.events = ports.events();
        this.gate = new PayoutGate(clock, ports.metrics());
        this.publisher = new GatePublisher(gate, ports, config.gateTimeout(), clock);
        this.parents = new AcceptedParentBarrier(config, ports.chain(), events, ports.metrics(), clock);
        this.appends =
                new AppendFence(config.windows().maxAnchorAge(), config.gateTimeout(), this::appendEpochMoved, clock);
    }

    /**
     * Returns the published payout state.
     *
     * @return generation 0 with no balances before the first publication
     */
    public PublishedPayout published() {
        return gate.published();
    }

    /**
     * Returns the current payout source.
     *
     * @return the source that the next publication must carry
     */
    public PayoutSource source() {
        return gate.source();
    }

    /**
     * Returns a consistent copy of the gate.
     *
     * @return snapshot for decisions and health
     */
    public PayoutSnapshot snapshot() {
        return gate.snapshot();
    }

    /**
     * Returns the accepted-parent barrier.
     *
     * @return the barrier of this state
     */
    public AcceptedParentBarrier parents() {
        return parents;
    }

    /**
     * Returns the append fence.
     *
     * @return the fence of this state
     */
    public AppendFence appends() {
        return appends;
    }

    /**
     * Moves the source: balances read before this call may not be published any more. Delivery goes on until
     * {@link #fence}.
     *
     * @param tip tip that the change belongs to
     * @param cause why the source moves
     * @return the new source
     */
    public PayoutSource invalidate(Hash256 tip, PayoutCause cause) {
        return gate.invalidate(tip, cause, false);
    }

    /**
     * Moves the source and closes the fence in one step.
     *
     * @param tip tip that the change belongs to
     * @param cause why the source moves
     * @return the new source
     */
    public PayoutSource supersede(Hash256 tip, PayoutCause cause) {
        PayoutSource source = gate.invalidate(tip, cause, true);
        publisher.announceFence("payout_source_superseded");
        return source;
    }

    /**
     * Closes the fence if the published source is not the current one. Waits for a swap in progress, never for admitted
     * deliveries.
     *
     * @param force closes it even if the sources match
     * @return true if this call closed it
     */
    public boolean fence(boolean force) {
        return publisher.fence(force);
    }

    /**
     * Asks for admission of one delivery without waiting; for event loops, which ask again at most 50 ms later while
     * the verdict is a waiting one.
     *
     * @param generation payout generation of the work
     * @param caller who asks
     * @param cancelled whether the delivery is cancelled
     * @param sinceNanos monotonic time of the caller's first attempt, for the wait histogram
     * @return the answer; a ticket must be closed
     */
    public GateAdmission tryAdmit(long generation, GateCaller caller, boolean cancelled, long sinceNanos) {
        return gate.tryAdmit(generation, caller, cancelled, sinceNanos);
    }

    /**
     * Asks for admission of one delivery and waits while the table says so.
     *
     * @param generation payout generation of the work
     * @param caller who asks
     * @param deadline longest wait; when it passes the answer carries the waiting verdict
     * @param cancel raised when the delivery is no longer wanted
     * @return the answer; a ticket must be closed
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public GateAdmission admit(long generation, GateCaller caller, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        return gate.admit(generation, caller, deadline, cancel);
    }

    /**
     * Names the current state as the base of a publication.
     *
     * @return candidate without balances of its own
     */
    public PayoutCandidate candidate() {
        PayoutSnapshot now = gate.snapshot();
        return PayoutCandidate.fromLedger(now.published(), now.source());
    }

    /**
     * Publishes a candidate: prepares its balances, waits for admitted deliveries, swaps.
     *
     * @param candidate state to publish; discarded unless both of its generations are still current
     * @param deadline bound of the whole call; the wait for deliveries has its own bound besides
     * @param cancel raised when the publication is given up
     * @return what became of it
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public PublishOutcome publish(PayoutCandidate candidate, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        return publisher.publish(candidate, deadline, cancel);
    }

    /**
     * Publishes whatever the current source is, starting again when a newer one wins, up to the configured number of
     * retries; then delivery stays fenced and the refresh loop goes on. While a block is being accounted its preview is
     * what is published, since the ledger does not have the block yet.
     *
     * @param changed false for a replay that changed nothing: it publishes only to heal a leaked fence
     * @param deadline bound of the whole call
     * @param cancel raised when the publication is given up
     * @return what became of the last attempt
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public PublishOutcome publishCurrent(boolean changed, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        PayoutSnapshot now = gate.snapshot();
        if (!changed && now.open()) {
            return new PublishOutcome.Unchanged();
        }
        PublishOutcome outcome = new PublishOutcome.Superseded();
        for (int attempt = 0; attempt <= config.publishRetries(); attempt++) {
            Optional<PayoutCandidate> candidate = governedCandidate();
            if (candidate.isEmpty()) {
                return new PublishOutcome.ParentPending();
            }
            outcome = publish(candidate.get(), deadline, cancel);
            if (!(outcome instanceof PublishOutcome.Superseded)) {
                return outcome;
            }
        }
        publisher.giveUp("payout_publication_superseded");
        return outcome;
    }

    /**
     * Makes the balances after an accepted block available to its children and publishes them as the next generation.
     * The same preview again changes nothing.
     *
     * @param block block that is being accounted
     * @param prospective balances after it
     * @param deadline bound of the whole call
     * @param cancel raised when the publication is given up
     * @return what became of it; child builds see the preview in every case but a conflict
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public PreviewOutcome publishPreview(
            Hash256 block, List<PriorBalance> prospective, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        return switch (parents.adopt(block, prospective)) {
            case UNKNOWN -> PreviewOutcome.NOT_LANDED;
            case CONFLICT -> PreviewOutcome.CONFLICT;
            case PUBLISHED -> PreviewOutcome.ALREADY_PUBLISHED;
            case TO_PUBLISH -> publishAdopted(block, prospective, deadline, cancel);
        };
    }

    private PreviewOutcome publishAdopted(
            Hash256 block, List<PriorBalance> prospective, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        events.acceptedBlockPreparing(deadline.within(RENEWAL_TIMEOUT, "window_renewal"));
        for (int attempt = 0; attempt <= config.publishRetries(); attempt++) {
            gate.invalidate(block, PayoutCause.ACCEPTED_BLOCK_PREVIEW, false);
            PublishOutcome outcome = publish(candidate().withPreview(prospective), deadline, cancel);
            if (outcome instanceof PublishOutcome.Published) {
                parents.previewPublished(block);
                return PreviewOutcome.PUBLISHED;
            }
            if (!(outcome instanceof PublishOutcome.Superseded)) {
                break;
            }
        }
        publisher.giveUp("accepted_parent_preview_degraded");
        return PreviewOutcome.DEGRADED;
    }

    /**
     * Withdraws a lost block: its descendants are refused and a new generation from the ledger is forced.
     *
     * @param block lost block
     * @param tip newest tip known
     * @return handle to undo the withdrawal if the block turns out to be on the chain; empty if it was unknown
     */
    public Optional<ParentTransition> withdraw(Hash256 block, Hash256 tip) {
        Optional<ParentTransition> before = parents.withdrawn(block);
        if (before.isPresent() && before.get().preview().isPresent()) {
            supersede(tip, PayoutCause.ACCEPTED_BLOCK_PREVIEW_WITHDRAWN);
        }
        return before;
    }

    /**
     * Undoes a withdrawal: the barrier is back, and a preview that had been published is published again.
     *
     * @param before what {@link #withdraw} returned
     * @param deadline bound of the whole call
     * @param cancel raised when the publication is given up
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public void restore(ParentTransition before, Deadline deadline, CancelSignal cancel) throws InterruptedException {
        parents.restored(new ParentTransition(
                before.hash(), before.height(), before.phase(), before.preview(), false, before.sinceNanos()));
        if (before.preview().isPresent()) {
            PreviewOutcome outcome =
                    publishPreview(before.hash(), before.preview().get(), deadline, cancel);
            LOG.atInfo()
                    .addKeyValue("hash", before.hash().displayHex())
                    .addKeyValue("outcome", outcome)
                    .log("withdrawn payout preview restored");
        }
    }

    /**
     * Replaces the published balances after a self-check found them wrong; generation and append epoch stay, so that
     * the digest is the only fence.
     *
     * @param generation generation that was checked
     * @param repaired balances as the ledger has them
     * @return false if another generation is current by now
     */
    public boolean repair(long generation, List<PriorBalance> repaired) {
        boolean done = gate.repair(generation, BalanceArtifact.of(repaired));
        if (done) {
            events.refreshWanted("payout_balances_repaired");
        }
        return done;
    }

    /** The current candidate with the balances of the highest block being accounted; empty if those are not known. */
    private Optional<PayoutCandidate> governedCandidate() {
        PayoutCandidate plain = candidate();
        Optional<ParentTransition> highest = parents.transitions().stream()
                .filter(ParentTransition::landed)
                .max(Comparator.comparingLong(ParentTransition::height));
        if (highest.isEmpty()) {
            return Optional.of(plain);
        }
        return highest.get().preview().map(plain::withPreview);
    }

    private void appendEpochMoved(long epoch, long visibleFromMs) {
        LOG.atInfo()
                .addKeyValue("append_epoch", epoch)
                .addKeyValue("visible_from_ms", visibleFromMs)
                .log("share row committed below a live window anchor");
        events.appendEpochMoved(epoch, visibleFromMs);
        events.refreshWanted("append_epoch_moved");
    }
}

package org.prismpool.templates.block;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.templates.block.CandidateState.Phase;
import org.prismpool.templates.chain.Hash256;

/**
 * The state of every candidate that is not terminal, one record per hash, and the transitions between states.
 *
 * <p>Has no clock, no thread, no lock and does no I/O: each method takes the time, changes the state and says what is to
 * be done. Not thread-safe; {@link CandidateLane} calls it under its lock.
 */
final class CandidateRegistry {

    private static final int REMEMBERED_ENDS = 4096;

    private final long windowNanos;
    private final RetryPacing pacing;
    private final Map<Hash256, CandidateState> states = new HashMap<>();
    private final Map<Hash256, Boolean> ended = new LinkedHashMap<>(); // hash to "submitted", oldest first
    private BlockCapacity capacity;
    private long arrivals;

    CandidateRegistry(LaneConfig config) {
        this.windowNanos = config.observedTipWindow().toNanos();
        this.pacing = new RetryPacing(
                config.retryFirst().toNanos(), config.retryLongest().toNanos());
        this.capacity = new BlockCapacity(config.maxBlocks(), 0, 0);
    }

    /** What became of an arrival. */
    enum Admission {
        ADMITTED,
        JOINED,
        ENDED
    }

    Admission admit(BlockCandidate candidate, CandidateState.Origin origin, boolean evidence, long now) {
        Hash256 hash = candidate.hash();
        if (ended.containsKey(hash)) {
            return Admission.ENDED;
        }
        if (states.containsKey(hash)) {
            return Admission.JOINED;
        }
        OptionalLong observed = evidence ? OptionalLong.of(now) : OptionalLong.empty();
        states.put(
                hash,
                new CandidateState(
                        candidate,
                        Phase.QUEUED,
                        arrivals++,
                        origin,
                        Optional.empty(),
                        new CandidateState.Trail(origin.priorAttempts() > 0, 0, 0, now, false),
                        new CandidateState.Evidence(observed, OptionalLong.empty(), false)));
        return Admission.ADMITTED;
    }

    /** What an offer thread is to do with a candidate. */
    enum StepKind {
        /** Ask the node, after the parent test if this is the first offer. */
        OFFER,
        /** The node's definitive answer is known: account again without asking. */
        REUSE,
        /** Leave the offer to accounting, which checks the window of an earlier process first. */
        HAND_OVER,
        /** The pool is closed: let accounting look at the chain, without an offer. */
        CLOSED
    }

    /** One step of one candidate. */
    record Step(StepKind kind, CandidateState state) {}

    /**
     * Takes the next candidate that is due: new ones before replayed ones, then by height, then by arrival. The candidate
     * belongs to the caller until {@link #offered}.
     */
    Optional<Step> next(long now) {
        Optional<CandidateState> chosen = states.values().stream()
                .filter(state -> state.phase() == Phase.QUEUED)
                .filter(state -> state.trail().notBeforeNanos() - now <= 0)
                .filter(state -> kindOf(state, now).isPresent())
                .min(Comparator.comparing(
                                (CandidateState state) -> state.origin().replayed())
                        .thenComparingLong(state -> state.candidate().height())
                        .thenComparingLong(CandidateState::arrival));
        return chosen.map(state -> take(state, now));
    }

    /** Empty while the candidate must wait for another one's place among the allowed blocks. */
    private Optional<StepKind> kindOf(CandidateState state, long now) {
        if (state.evidence().acceptedFreshAt(now, windowNanos)) {
            return Optional.of(StepKind.REUSE);
        }
        if (state.trail().slot() || capacity.hasRoom()) {
            boolean firstOfReplayed =
                    state.origin().replayed() && !state.trail().everOffered();
            return Optional.of(firstOfReplayed ? StepKind.HAND_OVER : StepKind.OFFER);
        }
        return capacity.closed() ? Optional.of(StepKind.CLOSED) : Optional.empty();
    }

    private Step take(CandidateState state, long now) {
        StepKind kind = kindOf(state, now).orElseThrow();
        CandidateState.Trail trail = state.trail();
        boolean needsSlot = kind == StepKind.OFFER || kind == StepKind.HAND_OVER;
        if (needsSlot && !trail.slot()) {
            capacity = capacity.reserve();
            trail = trail.withSlot(true);
        }
        CandidateState taken = state.in(Phase.OFFERING).with(trail);
        states.put(taken.candidate().hash(), taken);
        return new Step(kind, taken);
    }

    /** Tells when the next candidate that waits for its time is due. */
    OptionalLong nextDueNanos() {
        return states.values().stream()
                .filter(state -> state.phase() == Phase.QUEUED)
                .mapToLong(state -> state.trail().notBeforeNanos())
                .reduce((a, b) -> a - b <= 0 ? a : b);
    }

    /** Records an answer and hands the candidate over to accounting. */
    OfferedCandidate offered(Hash256 hash, OfferOutcome outcome, long now) {
        CandidateState state = require(hash, Phase.OFFERING);
        CandidateState.Trail trail = state.trail();
        boolean keepsSlot = trail.slot() && (outcome.mayHaveLanded() || outcome instanceof OfferOutcome.Unoffered);
        if (trail.slot() && !keepsSlot) {
            capacity = capacity.free();
        }
        CandidateState.Evidence evidence =
                outcome instanceof OfferOutcome.Accepted ? state.evidence().accepted(now) : state.evidence();
        CandidateState next = state.in(Phase.ACCOUNTING)
                .with(outcome)
                .with(evidence)
                .with(new CandidateState.Trail(
                        trail.everOffered() || outcome.offered(),
                        trail.passes() + 1,
                        trail.retries(),
                        trail.notBeforeNanos(),
                        keepsSlot));
        states.put(hash, next);
        return next.handOver();
    }

    /** Hands the candidate over again with the answer that is already known. */
    OfferedCandidate reused(Hash256 hash, long now) {
        CandidateState state = require(hash, Phase.OFFERING);
        return offered(hash, state.outcome().orElseGet(OfferOutcome.Accepted::new), now);
    }

    /** Puts a candidate back that could not be offered now. */
    void postpone(Hash256 hash, long now) {
        retry(require(hash, Phase.OFFERING), now);
    }

    /** Records the answer to an offer that accounting made itself. */
    void offeredByAccounting(Hash256 hash, OfferOutcome outcome, long now) {
        CandidateState state = states.get(hash);
        if (state == null || state.phase() != Phase.ACCOUNTING) {
            return;
        }
        CandidateState.Trail trail = state.trail();
        CandidateState.Evidence evidence =
                outcome instanceof OfferOutcome.Accepted ? state.evidence().accepted(now) : state.evidence();
        states.put(
                hash,
                state.with(outcome)
                        .with(evidence)
                        .with(new CandidateState.Trail(
                                trail.everOffered() || outcome.offered(),
                                trail.passes(),
                                trail.retries(),
                                trail.notBeforeNanos(),
                                trail.slot())));
    }

    /** What settling a pass leads to. */
    record Settlement(
            boolean terminal, boolean releaseBarrier, boolean limitReached, Optional<AbandonReason> abandoned) {

        static final Settlement NONE = new Settlement(false, false, false, Optional.empty());
    }

    /** Ends a pass of accounting. */
    Settlement settle(Hash256 hash, AccountingResult result, long now) {
        CandidateState state = states.get(hash);
        if (state == null || state.phase() != Phase.ACCOUNTING) {
            return Settlement.NONE;
        }
        if (result instanceof AccountingResult.Submitted submitted) {
            return submitted(state, submitted);
        }
        if (result instanceof AccountingResult.Abandoned abandoned) {
            end(state, false);
            return new Settlement(true, true, false, Optional.of(abandoned.reason()));
        }
        if (result instanceof AccountingResult.Parked) {
            states.put(hash, released(state).in(Phase.PARKED));
            return new Settlement(false, true, false, Optional.empty());
        }
        retry(state, now);
        return Settlement.NONE;
    }

    private Settlement submitted(CandidateState state, AccountingResult.Submitted result) {
        end(state, true);
        boolean wasOpen = !capacity.closed();
        if (result.newlyAccounted()) {
            capacity = capacity.accept();
        }
        boolean limitReached = result.newlyAccounted() && wasOpen && capacity.closed();
        return new Settlement(true, true, limitReached, Optional.empty());
    }

    private void retry(CandidateState state, long now) {
        CandidateState.Trail trail = state.trail();
        int retries = trail.retries() + 1;
        long due = now + pacing.delayNanos(retries);
        // Kept for a retry, it matches tip observations again at once.
        CandidateState.Evidence evidence = new CandidateState.Evidence(
                state.evidence().observedNanos(), state.evidence().acceptedNanos(), false);
        states.put(
                state.candidate().hash(),
                state.in(Phase.QUEUED)
                        .with(evidence)
                        .with(new CandidateState.Trail(
                                trail.everOffered(), trail.passes(), retries, due, trail.slot())));
    }

    /** Makes a paced retry due now, without forgetting how often it was tried; tells whether the hash is known. */
    boolean hasten(Hash256 hash, long now) {
        CandidateState state = states.get(hash);
        if (state == null) {
            return ended.containsKey(hash);
        }
        CandidateState.Trail trail = state.trail();
        if (state.phase() == Phase.QUEUED && trail.notBeforeNanos() - now > 0) {
            states.put(
                    hash,
                    state.with(new CandidateState.Trail(
                            trail.everOffered(), trail.passes(), trail.retries(), now, trail.slot())));
        }
        return true;
    }

    private CandidateState released(CandidateState state) {
        if (!state.trail().slot()) {
            return state;
        }
        capacity = capacity.free();
        return state.with(state.trail().withSlot(false));
    }

    private void end(CandidateState state, boolean wasSubmitted) {
        released(state);
        states.remove(state.candidate().hash());
        rememberEnd(state.candidate().hash(), wasSubmitted);
    }

    /** Remembers a terminal outcome that another process or an earlier run decided. */
    void rememberEnd(Hash256 hash, boolean wasSubmitted) {
        ended.put(hash, wasSubmitted);
        if (ended.size() > REMEMBERED_ENDS) {
            ended.remove(ended.keySet().iterator().next());
        }
    }

    /** Notes that a hash was seen as the tip; a parked candidate of that hash is handed over. */
    Optional<OfferedCandidate> observeTip(Hash256 hash, long now) {
        CandidateState state = states.get(hash);
        if (state == null) {
            return Optional.empty();
        }
        CandidateState seen = state.with(state.evidence().observed(now));
        states.put(hash, seen);
        return seen.phase() == Phase.PARKED ? unpark(hash, false) : Optional.empty();
    }

    /** Hands a parked candidate over: because it is active now, or because it lies too deep. */
    Optional<OfferedCandidate> unpark(Hash256 hash, boolean buried) {
        CandidateState state = states.get(hash);
        if (state == null || state.phase() != Phase.PARKED) {
            return Optional.empty();
        }
        CandidateState.Trail trail = state.trail();
        CandidateState next = state.in(Phase.ACCOUNTING)
                .with(new CandidateState.Trail(
                        true, trail.passes() + 1, trail.retries(), trail.notBeforeNanos(), trail.slot()));
        CandidateState handed = buried ? next.with(new OfferOutcome.Buried()) : next;
        states.put(hash, handed);
        return Optional.of(handed.handOver());
    }

    /** Tells whether an observation or a remembered acceptance still counts. */
    boolean freshEvidence(Hash256 hash, long now) {
        CandidateState state = states.get(hash);
        return state != null && state.evidence().freshAt(now, windowNanos);
    }

    /** Makes the decision to abandon final, unless fresh evidence has arrived; overriding evidence skips that test. */
    boolean seal(Hash256 hash, boolean overridesEvidence, long now) {
        CandidateState state = states.get(hash);
        if (state == null) {
            return true;
        }
        if (!overridesEvidence && state.evidence().freshAt(now, windowNanos)) {
            return false;
        }
        states.put(hash, state.with(state.evidence().seal()));
        return true;
    }

    /** Returns how a hash ended, true for an accounted block; empty if it is open or forgotten. */
    Optional<Boolean> end(Hash256 hash) {
        return Optional.ofNullable(ended.get(hash));
    }

    boolean closed() {
        return capacity.closed();
    }

    BlockCapacity capacity() {
        return capacity;
    }

    Optional<CandidateState> state(Hash256 hash) {
        return Optional.ofNullable(states.get(hash));
    }

    List<CandidateState> states() {
        return new ArrayList<>(states.values());
    }

    private CandidateState require(Hash256 hash, Phase phase) {
        CandidateState state = states.get(hash);
        if (state == null || state.phase() != phase) {
            throw new IllegalStateException("candidate is not in phase " + phase);
        }
        return state;
    }
}

package org.prismpool.templates.block;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where one candidate stands; immutable. {@link CandidateRegistry} is its only writer.
 *
 * @param candidate the block
 * @param phase what happens to it now
 * @param arrival order of arrival
 * @param origin how it came here
 * @param outcome result of the latest offer
 * @param trail what happened before
 * @param evidence signs that the chain accepted it
 */
record CandidateState(
        BlockCandidate candidate,
        Phase phase,
        long arrival,
        Origin origin,
        Optional<OfferOutcome> outcome,
        Trail trail,
        Evidence evidence) {

    /** What happens to a candidate. */
    enum Phase {
        /** Waits for its first offer or for the time of a retry. */
        QUEUED,
        /** An offer thread has it. */
        OFFERING,
        /** Accounting has it. */
        ACCOUNTING,
        /** Stored by the node on a side branch. */
        PARKED
    }

    /**
     * How a candidate came here.
     *
     * @param replayed from an earlier process
     * @param runnableNanos since when it could be offered
     * @param priorAttempts accounting attempts of earlier processes
     */
    record Origin(boolean replayed, long runnableNanos, int priorAttempts) {}

    /**
     * What happened before.
     *
     * @param everOffered an offer may have reached the node
     * @param passes hand-overs to accounting
     * @param retries retries since the last progress
     * @param notBeforeNanos earliest time of the next step
     * @param slot whether it holds a place among the allowed blocks
     */
    record Trail(boolean everOffered, int passes, int retries, long notBeforeNanos, boolean slot) {

        Trail withSlot(boolean held) {
            return new Trail(everOffered, passes, retries, notBeforeNanos, held);
        }
    }

    /**
     * Signs that the chain accepted it.
     *
     * @param observedNanos when its hash was last seen as the tip
     * @param acceptedNanos when the node answered null
     * @param sealed no further observation counts: the decision to abandon is made
     */
    record Evidence(OptionalLong observedNanos, OptionalLong acceptedNanos, boolean sealed) {

        static final Evidence NONE = new Evidence(OptionalLong.empty(), OptionalLong.empty(), false);

        boolean freshAt(long now, long windowNanos) {
            return isFresh(observedNanos, now, windowNanos) || isFresh(acceptedNanos, now, windowNanos);
        }

        boolean acceptedFreshAt(long now, long windowNanos) {
            return isFresh(acceptedNanos, now, windowNanos);
        }

        private static boolean isFresh(OptionalLong since, long now, long windowNanos) {
            return since.isPresent() && now - since.getAsLong() <= windowNanos;
        }

        Evidence observed(long now) {
            return sealed ? this : new Evidence(OptionalLong.of(now), acceptedNanos, false);
        }

        Evidence accepted(long now) {
            return new Evidence(observedNanos, OptionalLong.of(now), sealed);
        }

        Evidence seal() {
            return new Evidence(observedNanos, acceptedNanos, true);
        }
    }

    CandidateState in(Phase next) {
        return new CandidateState(candidate, next, arrival, origin, outcome, trail, evidence);
    }

    CandidateState with(Trail next) {
        return new CandidateState(candidate, phase, arrival, origin, outcome, next, evidence);
    }

    CandidateState with(Evidence next) {
        return new CandidateState(candidate, phase, arrival, origin, outcome, trail, next);
    }

    CandidateState with(OfferOutcome next) {
        return new CandidateState(candidate, phase, arrival, origin, Optional.of(next), trail, evidence);
    }

    OfferedCandidate handOver() {
        return new OfferedCandidate(
                candidate,
                outcome.orElseGet(OfferOutcome.Unoffered::new),
                trail.everOffered(),
                origin.replayed(),
                arrival,
                trail.passes());
    }
}

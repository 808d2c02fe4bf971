package org.prismpool.payout.state;

import java.util.Objects;

/** Answer to the wish to offer a block whose window is anchored at a given instant. */
public sealed interface LandingDecision {

    /**
     * No durable row is missing from the window; the fence is held until the permit is closed.
     *
     * @param permit to be closed right after the offer
     */
    record Permitted(LandingPermit permit) implements LandingDecision {
        /** Checks the component. */
        public Permitted {
            Objects.requireNonNull(permit, "permit");
        }
    }

    /** A row that the window omits has become durable. */
    record Stale() implements LandingDecision {}

    /** Older appends or another landing did not end before the deadline. */
    record TimedOut() implements LandingDecision {}

    /** The caller's cancellation was raised. */
    record Cancelled() implements LandingDecision {}
}

package org.prismpool.payout.state;

import java.util.Objects;

/** What became of a publication. */
public sealed interface PublishOutcome {

    /**
     * The next generation is current and delivery is open.
     *
     * @param state the published state
     */
    record Published(PublishedPayout state) implements PublishOutcome {}

    /** Nothing had changed and no fence was leaked, so nothing was published. */
    record Unchanged() implements PublishOutcome {}

    /** A newer source or generation won; the candidate was discarded. */
    record Superseded() implements PublishOutcome {}

    /** Admitted deliveries did not end before the deadline; the fence stays closed and a refresh is wanted. */
    record GateTimedOut() implements PublishOutcome {}

    /**
     * The balances could not be read; the fence stays closed and a refresh is wanted.
     *
     * @param cause failure of the port
     */
    record NotPrepared(RuntimeException cause) implements PublishOutcome {
        /** Checks the component. */
        public NotPrepared {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** A block is being accounted and its prospective balances are not known yet; nothing may be published past it. */
    record ParentPending() implements PublishOutcome {}

    /** The caller's cancellation was raised. */
    record Cancelled() implements PublishOutcome {}

    /**
     * Tells whether work may be built on the outcome.
     *
     * @return true if the current state is published
     */
    default boolean current() {
        return this instanceof Published || this instanceof Unchanged;
    }
}

package org.prismpool.delivery;

import java.util.Objects;

/** Port to the payout gate: nothing is committed while the balances that jobs pay are being swapped (spec 07 §6.2). */
@FunctionalInterface
public interface DeliveryGate {

    /**
     * Asks once for admission; never blocks. A caller that is told to wait asks again within 50 ms.
     *
     * @param payoutGeneration generation that the job pays
     * @param priority whether the caller may use the reservation of a new generation's first delivery
     * @return the answer
     */
    Answer tryAdmit(long payoutGeneration, boolean priority);

    /** The gate's answer. */
    sealed interface Answer {}

    /**
     * Admitted until the pass is closed.
     *
     * @param pass to be closed exactly once
     */
    record Admitted(Pass pass) implements Answer {

        /** Checks the component. */
        public Admitted {
            Objects.requireNonNull(pass, "pass");
        }
    }

    /** Not now: a publisher is waiting or swapping, or the generation is a future one. */
    record Wait() implements Answer {}

    /**
     * Never: fenced, stale, or reserved for priority callers.
     *
     * @param reason why
     */
    record Refused(String reason) implements Answer {

        /** Checks the component. */
        public Refused {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** One admission. */
    @FunctionalInterface
    interface Pass {

        /**
         * Leaves the gate. Never blocks, callable from any thread.
         *
         * @param delivered true iff the job's bytes were written
         */
        void leave(boolean delivered);
    }
}

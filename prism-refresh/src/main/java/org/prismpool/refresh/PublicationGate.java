package org.prismpool.refresh;

import java.util.Objects;
import java.util.function.Function;
import org.prismpool.lifecycle.time.Deadline;

/** Port to the payout state and its gate (spec 07 §6). Thread-safe. */
public interface PublicationGate {

    /**
     * Returns the current payout state. Never blocks.
     *
     * @return one consistent copy
     */
    PayoutAuthority current();

    /**
     * Runs a section while the payout state can neither be fenced nor swapped, with priority and without consuming the
     * first-delivery reservation.
     *
     * @param payoutGeneration generation that the section belongs to; another current one refuses
     * @param deadline latest end of the wait for admission
     * @param section short, takes no lock and does no I/O; gets the state that it runs under
     * @param <R> the section's result
     * @return the section's result, or why it did not run
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    <R> Admission<R> admit(long payoutGeneration, Deadline deadline, Function<PayoutAuthority, R> section)
            throws InterruptedException;

    /**
     * Tells that the detected tip changed: balances prepared for another tip are no longer current. Never blocks.
     *
     * @param tip the newly detected tip; calls from several observers may arrive out of order, a lower observation
     *     sequence than one heard before must be ignored
     */
    void tipDetected(DetectedTip tip);

    /**
     * What became of an admission.
     *
     * @param <R> the section's result
     */
    sealed interface Admission<R> {}

    /**
     * The section ran.
     *
     * @param value its result
     * @param <R> the section's result
     */
    record Admitted<R>(R value) implements Admission<R> {

        /** Checks the component. */
        public Admitted {
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * Refused: the fence is closed.
     *
     * @param <R> the section's result
     */
    record Fenced<R>() implements Admission<R> {}

    /**
     * Refused: the generation is no longer (or not yet) the published one.
     *
     * @param <R> the section's result
     */
    record WrongGeneration<R>() implements Admission<R> {}

    /**
     * Not admitted within the deadline; nothing changed.
     *
     * @param <R> the section's result
     */
    record AdmissionTimedOut<R>() implements Admission<R> {}
}

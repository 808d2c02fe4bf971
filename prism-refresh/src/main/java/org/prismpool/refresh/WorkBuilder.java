package org.prismpool.refresh;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the owner of bundles.
 *
 * <p>Methods return at once; builds run on the builder's own threads. A future must complete soon after its cancel signal
 * is raised or its deadline has passed, and completes normally for every expected outcome.
 *
 * @param <T> the template's type
 * @param <W> the bundle's type
 */
public interface WorkBuilder<T, W> {

    /**
     * Announces a publication-critical build before its request is made, so that no routine build starts first.
     *
     * @param requestedAtNanos monotonic instant of the attempt that needs it
     * @return the reservation; closed when the pass no longer needs it
     */
    Reservation reserve(long requestedAtNanos);

    /**
     * Builds the one bundle of a ready pool.
     *
     * @param call what to build and until when
     * @return the outcome
     */
    CompletableFuture<BuildAnswer<T, W>> ready(BuildCall<T> call);

    /**
     * Builds the bundle of one worker while the pool collects.
     *
     * @param call what to build and until when
     * @param connectionId connection whose worker is paid
     * @return the outcome
     */
    CompletableFuture<BuildAnswer<T, W>> collection(BuildCall<T> call, long connectionId);

    /**
     * Cancels every build and pending request whose parent is no longer wanted.
     *
     * @param wanted asked with the parent of each build, at the moment at which it would be cancelled: tips may move
     *     again while this call is on its way
     * @param reason text for those who wait
     */
    void cancelObsolete(Predicate<Hash256> wanted, String reason);

    /**
     * Returns the process id of the helper that compiles for the refresh owner. Never blocks.
     *
     * @return the helper's process id while it lives; empty for in-process compilers
     */
    default OptionalLong helperPid() {
        return OptionalLong.empty();
    }

    /** A publication-critical build that is announced. */
    @FunctionalInterface
    interface Reservation extends AutoCloseable {

        /** Withdraws the announcement. */
        @Override
        void close();
    }

    /**
     * A request to build.
     *
     * @param snapshot the template observation
     * @param payoutGeneration payout generation that the caller expects
     * @param requestedAtNanos monotonic instant of the attempt
     * @param deadline latest end
     * @param cancel raised when the caller no longer wants the result
     * @param <T> the template's type
     */
    record BuildCall<T>(
            TemplateSnapshot<T> snapshot,
            long payoutGeneration,
            long requestedAtNanos,
            Deadline deadline,
            CancelSignal cancel) {

        /** Checks the components. */
        public BuildCall {
            Objects.requireNonNull(snapshot, "snapshot");
            Objects.requireNonNull(deadline, "deadline");
            Objects.requireNonNull(cancel, "cancel");
        }
    }

    /**
     * What a build ended with.
     *
     * @param <T> the template's type
     * @param <W> the bundle's type
     */
    sealed interface BuildAnswer<T, W> {}

    /**
     * The build is done.
     *
     * @param work the work
     * @param <T> the template's type
     * @param <W> the bundle's type
     */
    record Built<T, W>(BuiltWork<T, W> work) implements BuildAnswer<T, W> {

        /** Checks the component. */
        public Built {
            Objects.requireNonNull(work, "work");
        }
    }

    /**
     * No work, for a reason that the refresh knows how to handle.
     *
     * @param kind why
     * @param label the bound that passed, for {@link FailureKind#PHASE_TIMEOUT}; ignored otherwise
     * @param reason text for the log
     * @param <T> the template's type
     * @param <W> the bundle's type
     */
    record NotBuilt<T, W>(FailureKind kind, TimeoutLabel label, String reason) implements BuildAnswer<T, W> {

        /** Checks the components. */
        public NotBuilt {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(label, "label");
            Objects.requireNonNull(reason, "reason");
        }
    }
}

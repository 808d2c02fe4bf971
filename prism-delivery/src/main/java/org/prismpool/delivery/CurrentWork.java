package org.prismpool.delivery;

import java.util.Objects;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Port to the owners of tips, templates, bundles and balances: the work that a connection should get now.
 *
 * @param <W> the work's type
 */
public interface CurrentWork<W> {

    /**
     * Returns what is current. Called at every commit; never blocks.
     *
     * @return one consistent copy
     */
    CurrentState state();

    /**
     * Prepares work for one connection outside a fan-out: reconciles the current tip, takes the template (the published
     * one while issuance is pinned), and gets the bundle. May block until the deadline; called on pool workers only.
     *
     * @param request who asks
     * @param deadline latest end
     * @param cancel raised when the requester no longer wants it
     * @return the work, or why there is none now
     * @throws InterruptedException if the caller is interrupted
     */
    Answer<W> prepare(Request request, Deadline deadline, CancelSignal cancel) throws InterruptedException;

    /**
     * Asks the node whether work still extends its best block; a different best block is reported to the tip owner. May
     * block until the deadline; called on pool workers only.
     *
     * @param work the work
     * @param deadline latest end
     * @return the verdict
     * @throws InterruptedException if the caller is interrupted
     */
    LiveTip probe(PreparedWork<W> work, Deadline deadline) throws InterruptedException;

    /**
     * Returns the same work with the newest clock, for a connection that heard nothing for long. May block until the
     * deadline; called on pool workers only.
     *
     * @param request who gets it
     * @param key work that it has
     * @param deadline latest end
     * @return the work with the newest time of the same fingerprint; empty if there is none
     * @throws InterruptedException if the caller is interrupted
     */
    Optional<PreparedWork<W>> sameWithNewestTime(Request request, WorkKey key, Deadline deadline)
            throws InterruptedException;

    /**
     * Who asks for work.
     *
     * @param connectionId the connection
     * @param generations its generations
     * @param purpose what for
     */
    record Request(long connectionId, Generations generations, Purpose purpose) {

        /** Checks the components. */
        public Request {
            Objects.requireNonNull(generations, "generations");
            Objects.requireNonNull(purpose, "purpose");
        }
    }

    /** What work is asked for; bundle owners treat them with different priority. */
    enum Purpose {
        /** First job of a connection. */
        FIRST_JOB,
        /** Change of difficulty or authorization on a working connection. */
        DIRECT,
        /** Vardiff of a silent connection; refused while a detected tip is unpublished. */
        IDLE_RETARGET,
        /** Same work again on a silent chain. */
        KEEP_ALIVE
    }

    /** Verdict of a live probe. */
    enum LiveTip {
        /** The work extends the node's best block. */
        EXTENDS_BEST,
        /** It does not, but it is the authoritative published tip's work: keep it. */
        PUBLISHED_AUTHORITY,
        /** It does not: drop it and ask again. */
        OBSOLETE,
        /** The node did not answer. */
        UNKNOWN
    }

    /**
     * What a preparation ended with.
     *
     * @param <W> the work's type
     */
    sealed interface Answer<W> {}

    /**
     * Work.
     *
     * @param work the work
     * @param <W> the work's type
     */
    record Ready<W>(PreparedWork<W> work) implements Answer<W> {

        /** Checks the component. */
        public Ready {
            Objects.requireNonNull(work, "work");
        }
    }

    /**
     * None now, but asking again may help: coordination, supersession, node trouble.
     *
     * @param reason why
     * @param failure true if the build itself failed, which is counted
     * @param <W> the work's type
     */
    record NotNow<W>(String reason, boolean failure) implements Answer<W> {

        /** Checks the component. */
        public NotNow {
            Objects.requireNonNull(reason, "reason");
        }
    }
}

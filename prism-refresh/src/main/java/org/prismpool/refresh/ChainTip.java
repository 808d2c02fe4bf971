package org.prismpool.refresh;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the node's view of the chain.
 *
 * <p>Called on the refresh owner's and the block-wait thread; every call may block until its deadline and must be safe
 * to repeat. An {@link IOException} means that the node did not answer usefully in time.
 */
public interface ChainTip {

    /**
     * Returns the hash of the best block ({@code getbestblockhash}).
     *
     * @param deadline latest end of the call
     * @return the best hash
     * @throws IOException if the node did not answer
     * @throws InterruptedException if the caller is interrupted
     */
    Hash256 bestHash(Deadline deadline) throws IOException, InterruptedException;

    /**
     * Returns the parent of a block ({@code getblockheader} or {@code getblock}).
     *
     * @param tip the block
     * @param deadline latest end of the call
     * @return its parent
     * @throws IOException if the node did not answer or does not know the block
     * @throws InterruptedException if the caller is interrupted
     */
    Hash256 parentOf(Hash256 tip, Deadline deadline) throws IOException, InterruptedException;

    /**
     * Judges the node's chain view ({@code getblockchaininfo}): not in initial block download and all headers connected.
     *
     * @param deadline latest end of the call
     * @return the verdict
     * @throws IOException if the node did not answer, or answered with malformed fields
     * @throws InterruptedException if the caller is interrupted
     */
    ChainTrust trust(Deadline deadline) throws IOException, InterruptedException;

    /**
     * Waits at the node until its tip differs ({@code waitfornewblock} with the known tip).
     *
     * @param known tip that the caller knows
     * @param serverWait longest wait at the node
     * @param deadline latest end of the call, later than the server's wait
     * @return the tip after the wait, {@code known} if nothing changed, or that the node cannot do this
     * @throws IOException if the node did not answer
     * @throws org.prismpool.lifecycle.time.CancelledException if the process is stopping; is not reported
     * @throws InterruptedException if the caller is interrupted
     */
    WaitAnswer awaitChange(Hash256 known, Duration serverWait, Deadline deadline)
            throws IOException, InterruptedException;

    /**
     * Verdict on the chain view.
     *
     * @param trusted true iff work may be built on the node's tip
     * @param reason why not; empty text if trusted
     */
    record ChainTrust(boolean trusted, String reason) {

        /** Checks the components. */
        public ChainTrust {
            Objects.requireNonNull(reason, "reason");
        }

        /**
         * Returns the good verdict.
         *
         * @return a trusted view
         */
        public static ChainTrust yes() {
            return new ChainTrust(true, "");
        }

        /**
         * Returns a bad verdict.
         *
         * @param reason why the view is not trusted
         * @return an untrusted view
         */
        public static ChainTrust no(String reason) {
            return new ChainTrust(false, reason);
        }
    }

    /** What a wait at the node ended with. */
    sealed interface WaitAnswer {}

    /**
     * The node's tip after the wait.
     *
     * @param hash the tip; equal to the known one if nothing changed
     */
    record Tip(Hash256 hash) implements WaitAnswer {

        /** Checks the component. */
        public Tip {
            Objects.requireNonNull(hash, "hash");
        }
    }

    /** The node does not have the call; by error code, never by a passing failure (spec 01 §5.5). */
    record Unsupported() implements WaitAnswer {}
}

package org.prismpool.payout.finalization;

import java.util.Objects;
import org.prismpool.templates.chain.Hash256;

/**
 * Everything that is needed to offer and to account a found block after any restart: the contents of the durable
 * intent {@code qbit.prism.block-candidate-intent.v1} (spec 03 §6.3). Immutable.
 *
 * @param solution the block itself
 * @param work frozen inputs of the work that it was found with
 * @param username login name of the solver
 * @param share the solving share
 * @param creditShareOnAccept whether the share is credited only if the block lands
 */
public record CandidateIntent(
        Solution solution, IntentWork work, String username, IntentShare share, boolean creditShareOnAccept) {

    /** Schema of the intent. */
    public static final String SCHEMA = "qbit.prism.block-candidate-intent.v1";

    /** Checks the components. */
    public CandidateIntent {
        Objects.requireNonNull(solution, "solution");
        Objects.requireNonNull(work, "work");
        Objects.requireNonNull(username, "username");
        Objects.requireNonNull(share, "share");
    }

    /**
     * The solved block.
     *
     * @param hash block hash
     * @param parent parent hash
     * @param height expected height
     * @param coinbaseValueSats coinbase value of the template
     * @param blockHex whole block, lower-case hex
     * @param coinbaseHex coinbase in its witness form, lower-case hex
     * @param extranonce1Hex extranonce1 of the job
     * @param extranonce2Hex extranonce2 of the submission
     */
    public record Solution(
            Hash256 hash,
            Hash256 parent,
            long height,
            long coinbaseValueSats,
            String blockHex,
            String coinbaseHex,
            String extranonce1Hex,
            String extranonce2Hex) {

        /** Checks the components. */
        public Solution {
            Objects.requireNonNull(hash, "hash");
            Objects.requireNonNull(parent, "parent");
            Objects.requireNonNull(blockHex, "blockHex");
            Objects.requireNonNull(coinbaseHex, "coinbaseHex");
            Objects.requireNonNull(extranonce1Hex, "extranonce1Hex");
            Objects.requireNonNull(extranonce2Hex, "extranonce2Hex");
        }
    }

    /**
     * Returns the intent with another acceptance time; its identity stays the same.
     *
     * @param acceptedAtMs acceptance time of a resubmission
     * @return the intent
     */
    public CandidateIntent acceptedAt(long acceptedAtMs) {
        IntentShare same = share;
        return new CandidateIntent(
                solution,
                work,
                username,
                new IntentShare(
                        same.shareId(),
                        same.identity(),
                        same.shareDifficulty(),
                        same.networkDifficulty(),
                        same.templateHeight(),
                        same.jobId(),
                        same.jobIssuedAtMs(),
                        acceptedAtMs,
                        same.ntime(),
                        same.creditPolicy()),
                creditShareOnAccept);
    }
}

package org.prismpool.stratum;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Port to the durable record of accepted shares (spec 02 §7.7). Called on event loops: returns at once. */
@FunctionalInterface
public interface ShareSink {

    /**
     * Commits a share, together with the intent to offer a block if it solves one, in one transaction.
     *
     * @param share the share, checked against its job
     * @param solve the block it solves, or empty
     * @return stage that completes once the outcome is final, on any thread; the miner is answered only then
     */
    CompletionStage<CommitResult> commit(AcceptedShare share, Optional<BlockSolve> solve);
}

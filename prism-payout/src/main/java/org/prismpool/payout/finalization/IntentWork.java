package org.prismpool.payout.finalization;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.WindowShare;

/**
 * The frozen inputs of the work that a block was found with: everything that its audit bundle is rebuilt from, apart
 * from the extranonces.
 *
 * @param shares shares of the reward window, ascending by sequence; kept by reference, must be immutable
 * @param priorBalances balances before the block
 * @param foundBlock height, value, difficulty and anchor
 * @param prospectiveBalances balances after the block, if the work knew them
 * @param witnessLeavesHex witness ids of the template's transactions, internal byte order
 * @param buildInputs rules of the work; empty only in rows of the reference implementation
 * @param collectionOnly whether the pool was collecting, so that the solver is paid everything
 */
public record IntentWork(
        List<WindowShare> shares,
        List<PriorBalance> priorBalances,
        FoundBlock foundBlock,
        Optional<List<PriorBalance>> prospectiveBalances,
        List<String> witnessLeavesHex,
        Optional<BuildInputs> buildInputs,
        boolean collectionOnly) {

    /** Checks and copies the components. */
    public IntentWork {
        Objects.requireNonNull(shares, "shares");
        priorBalances = List.copyOf(priorBalances);
        Objects.requireNonNull(foundBlock, "foundBlock");
        prospectiveBalances = prospectiveBalances.map(List::copyOf);
        witnessLeavesHex = List.copyOf(witnessLeavesHex);
        Objects.requireNonNull(buildInputs, "buildInputs");
    }
}

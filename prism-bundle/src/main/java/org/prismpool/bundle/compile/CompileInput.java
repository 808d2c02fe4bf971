package org.prismpool.bundle.compile;

import java.util.List;
import java.util.Objects;
import org.prismpool.payout.finalization.BuildInputs;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.WindowShare;

/**
 * Everything that a signed coinbase manifest depends on, apart from the signing keys (spec 04 §8.1). Immutable.
 *
 * @param foundBlock height, value, difficulty and anchor
 * @param shares shares that cover the reward window, ascending by sequence; kept by reference, must be immutable
 * @param priorBalances balances before the block
 * @param rules payout policy and settlement input
 * @param coinbaseSuffixHex what follows the height in the scriptSig: tag and extranonces
 * @param witnessLeavesHex witness ids of the template's transactions, internal byte order, without the coinbase
 */
public record CompileInput(
        FoundBlock foundBlock,
        List<WindowShare> shares,
        List<PriorBalance> priorBalances,
        BuildInputs rules,
        String coinbaseSuffixHex,
        List<String> witnessLeavesHex) {

    /** Checks and copies the components. */
    public CompileInput {
        Objects.requireNonNull(foundBlock, "foundBlock");
        Objects.requireNonNull(shares, "shares");
        priorBalances = List.copyOf(priorBalances);
        Objects.requireNonNull(rules, "rules");
        Objects.requireNonNull(coinbaseSuffixHex, "coinbaseSuffixHex");
        witnessLeavesHex = List.copyOf(witnessLeavesHex);
    }
}

package org.prismpool.payout.audit;

import java.util.List;
import java.util.Optional;
import org.prismpool.payout.ctv.CtvSettlement;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.window.FoundBlock;

/**
 * Everything besides the shares that decides a block's payout and coinbase.
 *
 * @param foundBlock the block
 * @param priorBalances balances before it, in the order they are published
 * @param payoutPolicy the policy
 * @param coinbaseScriptSigSuffixHex bytes after the height in the scriptSig, hexadecimal text; empty for none
 * @param witnessMerkleLeavesHex witness hashes of the other transactions, internal byte order, hexadecimal text
 * @param ctvSettlement settlement input; empty to pay everyone in the coinbase
 */
public record BlockTerms(
        FoundBlock foundBlock,
        List<PriorBalance> priorBalances,
        PayoutPolicy payoutPolicy,
        Optional<String> coinbaseScriptSigSuffixHex,
        List<String> witnessMerkleLeavesHex,
        Optional<CtvSettlement> ctvSettlement) {

    /** Copies the lists. */
    public BlockTerms {
        priorBalances = List.copyOf(priorBalances);
        witnessMerkleLeavesHex = List.copyOf(witnessMerkleLeavesHex);
    }

    /**
     * Returns the terms of a block with the day-one policy, no prior balances and no settlement.
     *
     * @param foundBlock the block
     * @return the terms
     */
    public static BlockTerms of(FoundBlock foundBlock) {
        return new BlockTerms(
                foundBlock, List.of(), PayoutPolicy.DAY_ONE, Optional.empty(), List.of(), Optional.empty());
    }

    /**
     * Returns the terms with another suffix: the extranonce of the miner that found the block.
     *
     * @param suffixHex bytes after the height, hexadecimal text
     * @return the terms
     */
    public BlockTerms withScriptSigSuffix(String suffixHex) {
        return new BlockTerms(
                foundBlock, priorBalances, payoutPolicy, Optional.of(suffixHex), witnessMerkleLeavesHex, ctvSettlement);
    }
}

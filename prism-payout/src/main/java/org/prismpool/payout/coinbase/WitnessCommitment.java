package org.prismpool.payout.coinbase;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.Sha256d;

/** The witness commitment that the last coinbase output carries. */
final class WitnessCommitment {

    private WitnessCommitment() {}

    /** Commits to the leaves after a zero leaf for the coinbase, and to the nonce. */
    static byte[] of(List<byte[]> leaves, byte[] nonce) {
        List<Hash256> tree = new ArrayList<>(leaves.size() + 1);
        tree.add(Hash256.ZERO);
        leaves.forEach(leaf -> tree.add(Hash256.ofInternal(leaf)));
        return Sha256d.digest(MerkleBranch.root(tree).internalBytes(), nonce);
    }
}

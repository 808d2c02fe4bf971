package org.prismpool.templates.job;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.Sha256d;

/** The commitment of a coinbase to all witnesses of its block (BIP141; spec 03 §4.4). */
public final class WitnessCommitment {

    private static final String SCRIPT_PREFIX = "6a24aa21a9ed";

    private WitnessCommitment() {}

    /**
     * Computes the root over the witness ids, with zero in place of the coinbase.
     *
     * @param wtxids ids of the template's transactions in block order, without the coinbase
     * @return the root
     */
    public static Hash256 root(List<Hash256> wtxids) {
        List<Hash256> leaves = new ArrayList<>(wtxids.size() + 1);
        leaves.add(Hash256.ZERO);
        leaves.addAll(wtxids);
        return MerkleBranch.root(leaves);
    }

    /**
     * Computes the commitment.
     *
     * @param root root over the witness ids
     * @param reservedValue the 32 bytes in the coinbase's witness
     * @return the committed hash
     */
    public static Hash256 commit(Hash256 root, byte[] reservedValue) {
        if (reservedValue.length != Hash256.SIZE) {
            throw new IllegalArgumentException("the reserved value has 32 bytes, got " + reservedValue.length);
        }
        return Hash256.ofInternal(Sha256d.digest(root.internalBytes(), reservedValue));
    }

    /**
     * Returns the script of the output that carries a commitment.
     *
     * @param commitment committed hash
     * @return 38 bytes
     */
    public static byte[] script(Hash256 commitment) {
        return Hex.decode(SCRIPT_PREFIX + commitment.internalHex());
    }
}

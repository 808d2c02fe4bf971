package org.prismpool.templates.chain;

import java.util.ArrayList;
import java.util.List;

/**
 * The siblings that lead from leaf 0, the coinbase, to the merkle root of a block.
 *
 * @param siblings bottom-up; empty when the coinbase is the only transaction
 */
public record MerkleBranch(List<Hash256> siblings) {

    /** Copies the list. */
    public MerkleBranch {
        siblings = List.copyOf(siblings);
    }

    /**
     * Computes the branch of leaf 0, which does not depend on leaf 0 itself.
     *
     * @param rest leaves 1 and up in block order, without the coinbase
     * @return the branch
     */
    public static MerkleBranch ofLeafZero(List<Hash256> rest) {
        Sha256d.Hasher hasher = new Sha256d.Hasher();
        byte[] level = new byte[(rest.size() + 1) * Hash256.SIZE];
        for (int i = 0; i < rest.size(); i++) {
            rest.get(i).copyInternalTo(level, (i + 1) * Hash256.SIZE);
        }
        List<Hash256> siblings = new ArrayList<>();
        for (int count = rest.size() + 1; count > 1; count = (count + 1) / 2) {
            siblings.add(Hash256.ofInternal(level, Hash256.SIZE));
            // Node 0 of the next level is unknown; the loop starts at the pair after it.
            hashPairs(hasher, level, count, 1);
        }
        return new MerkleBranch(siblings);
    }

    /**
     * Computes a merkle root.
     *
     * @param leaves one or more, in order
     * @return the root; the last leaf of an odd level is paired with itself
     * @throws IllegalArgumentException if there is no leaf
     */
    public static Hash256 root(List<Hash256> leaves) {
        byte[] level = flatten(leaves);
        Sha256d.Hasher hasher = new Sha256d.Hasher();
        for (int count = leaves.size(); count > 1; count = (count + 1) / 2) {
            hashPairs(hasher, level, count, 0);
        }
        return Hash256.ofInternal(level, 0);
    }

    /**
     * Tells whether a list of leaves has two equal neighbours in one pair at any level (CVE-2012-2459): another list of
     * leaves then has the same root.
     *
     * @param leaves one or more, in order
     * @return true if the tree is ambiguous
     * @throws IllegalArgumentException if there is no leaf
     */
    public static boolean isMutated(List<Hash256> leaves) {
        byte[] level = flatten(leaves);
        Sha256d.Hasher hasher = new Sha256d.Hasher();
        for (int count = leaves.size(); count > 1; count = (count + 1) / 2) {
            for (int i = 0; i + 1 < count; i += 2) {
                if (Hash256.ofInternal(level, i * Hash256.SIZE)
                        .equals(Hash256.ofInternal(level, (i + 1) * Hash256.SIZE))) {
                    return true;
                }
            }
            hashPairs(hasher, level, count, 0);
        }
        return false;
    }

    /**
     * Returns the root for a leaf 0.
     *
     * @param leaf txid of the coinbase
     * @return the merkle root
     */
    public Hash256 fold(Hash256 leaf) {
        byte[] node = leaf.internalBytes();
        fold(new Sha256d.Hasher(), node, new byte[2 * Hash256.SIZE]);
        return Hash256.wrap(node);
    }

    /**
     * Turns a leaf 0 into the root in place, without allocating.
     *
     * @param hasher used on this thread only
     * @param node 32 bytes: leaf in, root out, both in internal order
     * @param pair scratch space of 64 bytes
     */
    public void fold(Sha256d.Hasher hasher, byte[] node, byte[] pair) {
        for (int i = 0; i < siblings.size(); i++) {
            System.arraycopy(node, 0, pair, 0, Hash256.SIZE);
            siblings.get(i).copyInternalTo(pair, Hash256.SIZE);
            hasher.digest(pair, 0, pair.length, node);
        }
    }

    private static byte[] flatten(List<Hash256> leaves) {
        if (leaves.isEmpty()) {
            throw new IllegalArgumentException("a merkle tree has at least one leaf");
        }
        byte[] level = new byte[leaves.size() * Hash256.SIZE];
        for (int i = 0; i < leaves.size(); i++) {
            leaves.get(i).copyInternalTo(level, i * Hash256.SIZE);
        }
        return level;
    }

    /** Replaces the first {@code count} nodes of a level by their parents, from parent {@code first} on. */
    private static void hashPairs(Sha256d.Hasher hasher, byte[] level, int count, int first) {
        int parents = (count + 1) / 2;
        for (int parent = first; parent < parents; parent++) {
            int left = 2 * parent * Hash256.SIZE;
            int right = Math.min(2 * parent + 1, count - 1) * Hash256.SIZE;
            hasher.update(level, left, Hash256.SIZE);
            hasher.update(level, right, Hash256.SIZE);
            hasher.finish(level, parent * Hash256.SIZE);
        }
    }
}

package org.prismpool.payout.ctv;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.prismpool.payout.json.Sha256;
import org.prismpool.templates.chain.ByteWriter;

/** P2MR script trees: tagged hashes of leaves and branches, programs and control blocks (settlement specification 9). */
public final class ScriptTree {

    private static final int LEAF_VERSION = 0xc0;
    private static final byte[] LEAF_TAG = Sha256.hash("P2MRLeaf".getBytes(StandardCharsets.US_ASCII));
    private static final byte[] BRANCH_TAG = Sha256.hash("P2MRBranch".getBytes(StandardCharsets.US_ASCII));
    private static final int OP_CHECKTEMPLATEVERIFY = 0xbb;

    private ScriptTree() {}

    /**
     * Returns the leaf script that admits one transaction only: a push of the hash and OP_CHECKTEMPLATEVERIFY.
     *
     * @param ctvHash 32 bytes
     * @return 34 bytes
     */
    public static byte[] ctvLeaf(byte[] ctvHash) {
        return new ByteWriter(34)
                .prefixedBytes(ctvHash)
                .u8(OP_CHECKTEMPLATEVERIFY)
                .toByteArray();
    }

    /**
     * Returns the hash of a leaf.
     *
     * @param script the leaf script
     * @return 32 bytes; the program itself if the tree has no other leaf
     */
    public static byte[] leafHash(byte[] script) {
        byte[] message = new ByteWriter().u8(LEAF_VERSION).prefixedBytes(script).toByteArray();
        return Sha256.hash(LEAF_TAG, LEAF_TAG, message);
    }

    /**
     * Returns the hash of two nodes; their order does not matter.
     *
     * @param left 32 bytes
     * @param right 32 bytes
     * @return 32 bytes
     */
    public static byte[] branch(byte[] left, byte[] right) {
        return Arrays.compareUnsigned(left, right) <= 0
                ? Sha256.hash(BRANCH_TAG, BRANCH_TAG, left, right)
                : Sha256.hash(BRANCH_TAG, BRANCH_TAG, right, left);
    }

    /**
     * Returns the witness program of a leaf in a tree.
     *
     * @param script the leaf script
     * @param path nodes beside the way from the leaf to the root, nearest first
     * @return 32 bytes
     */
    public static byte[] program(byte[] script, List<byte[]> path) {
        byte[] node = leafHash(script);
        for (byte[] sibling : path) {
            node = branch(node, sibling);
        }
        return node;
    }

    /**
     * Returns the control block that proves a leaf.
     *
     * @param path nodes beside the way from the leaf to the root, nearest first
     * @return one byte and 32 for each node
     */
    public static byte[] controlBlock(List<byte[]> path) {
        ByteWriter block = new ByteWriter().u8(LEAF_VERSION | 1);
        path.forEach(block::bytes);
        return block.toByteArray();
    }

    /**
     * Returns the output script of a program.
     *
     * @param program 32 bytes
     * @return 34 bytes
     */
    public static byte[] outputScript(byte[] program) {
        return new ByteWriter(34).u8(0x52).prefixedBytes(program).toByteArray();
    }
}

package org.prismpool.templates.block;

import org.prismpool.templates.chain.Hash256;

/**
 * A solved block on its way to the node, with all that is needed to resume it after a restart.
 *
 * @param hash block hash
 * @param parent block that it extends
 * @param height expected height, parent height plus one
 * @param blockHex serialization for {@code submitblock}
 * @param coinbaseHex coinbase with witness
 * @param intentJson durable intent, opaque here
 * @param credit when the solving share is credited
 */
public record BlockCandidate(
        Hash256 hash,
        Hash256 parent,
        long height,
        String blockHex,
        String coinbaseHex,
        String intentJson,
        ShareCredit credit) {

    /** When the share that solved the block is credited. */
    public enum ShareCredit {
        /** It is credited already, in the transaction of the intent; the outcome of the block does not matter. */
        COMMITTED,
        /** Only when the block lands: the share alone missed its target. */
        WHEN_LANDED,
        /** Never: the submission was refused for another reason. */
        NONE
    }

    /** Checks the height. */
    public BlockCandidate {
        if (height < 1) {
            throw new IllegalArgumentException("a candidate has a height of 1 or more");
        }
    }

    /** Names the block only; the texts are megabytes long. */
    @Override
    public String toString() {
        return "BlockCandidate[" + hash + ", height " + height + "]";
    }
}

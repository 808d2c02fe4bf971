package org.prismpool.templates.job;

import java.util.Arrays;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;

/**
 * A solved block in the form in which it goes to the node.
 *
 * <p>Immutable; equal when hash and bytes are.
 */
public final class AssembledBlock {

    private final Hash256 hash;
    private final Hash256 parent;
    private final long height;
    private final byte[] bytes;
    private final byte[] coinbase;

    AssembledBlock(Hash256 hash, Hash256 parent, long height, byte[] bytes, byte[] coinbase) {
        this.hash = hash;
        this.parent = parent;
        this.height = height;
        this.bytes = bytes;
        this.coinbase = coinbase;
    }

    /**
     * Returns the block hash.
     *
     * @return hash of the header
     */
    public Hash256 hash() {
        return hash;
    }

    /**
     * Returns the block that this one extends.
     *
     * @return hash of the parent
     */
    public Hash256 parent() {
        return parent;
    }

    /**
     * Returns the height.
     *
     * @return parent height plus one
     */
    public long height() {
        return height;
    }

    /**
     * Returns the serialization.
     *
     * @return a copy: header, transaction count, coinbase with witness, template transactions
     */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * Returns the serialization as {@code submitblock} takes it.
     *
     * @return lower-case hex, made anew at each call
     */
    public String hex() {
        return Hex.encode(bytes);
    }

    /**
     * Returns the coinbase with witness.
     *
     * @return lower-case hex
     */
    public String coinbaseHex() {
        return Hex.encode(coinbase);
    }

    /**
     * Returns the size of the block, which is also its weight.
     *
     * @return bytes
     */
    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AssembledBlock block && hash.equals(block.hash) && Arrays.equals(bytes, block.bytes);
    }

    @Override
    public int hashCode() {
        return hash.hashCode();
    }

    @Override
    public String toString() {
        return "AssembledBlock[" + hash + ", height " + height + ", " + bytes.length + " bytes]";
    }
}

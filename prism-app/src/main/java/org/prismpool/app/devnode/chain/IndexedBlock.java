package org.prismpool.app.devnode.chain;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Target;

/**
 * One entry of the block tree. Header, position and work never change; body, arrival order and failure do, guarded by the
 * lock of the chain state that owns the tree.
 */
public final class IndexedBlock {

    private static final int MEDIAN_SPAN = 11;

    private enum Failure {
        NONE,
        OWN,
        ANCESTOR
    }

    private final BlockHeader header;
    private final Hash256 hash;
    private final Optional<IndexedBlock> parent;
    private final int height;
    private final BigInteger chainWork;

    private Optional<RawBlock> body = Optional.empty();
    private long arrival = Long.MAX_VALUE;
    private Failure failure = Failure.NONE;

    IndexedBlock(BlockHeader header, Optional<IndexedBlock> parent) {
        this.header = header;
        this.hash = header.hash();
        this.parent = parent;
        this.height = parent.map(block -> block.height + 1).orElse(0);
        BigInteger own = CompactTarget.ofBits(header.bits()).target().work();
        this.chainWork = parent.map(block -> block.chainWork.add(own)).orElse(own);
    }

    /**
     * Returns the header.
     *
     * @return the header
     */
    public BlockHeader header() {
        return header;
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
     * Returns the block before this one.
     *
     * @return empty for the genesis block
     */
    public Optional<IndexedBlock> parent() {
        return parent;
    }

    /**
     * Returns the distance from the genesis block.
     *
     * @return 0 or more
     */
    public int height() {
        return height;
    }

    /**
     * Returns the work of the chain up to this block, this one included.
     *
     * @return expected number of hashes
     */
    public BigInteger chainWork() {
        return chainWork;
    }

    /**
     * Returns the proof-of-work threshold of this block.
     *
     * @return target of its bits
     */
    public Target target() {
        return CompactTarget.ofBits(header.bits()).target();
    }

    /**
     * Returns the block's transactions, when they arrived.
     *
     * @return empty while only the header is known
     */
    public Optional<RawBlock> body() {
        return body;
    }

    /**
     * Returns the order of arrival; preciousness makes it smaller.
     *
     * @return compared between blocks of equal work: the smaller wins
     */
    public long arrival() {
        return arrival;
    }

    /**
     * Tells whether this block, or one before it, broke a rule or was invalidated by hand.
     *
     * @return true if it can't become active
     */
    public boolean isFailed() {
        return failure != Failure.NONE;
    }

    /**
     * Returns the median of the last eleven block times up to and including this block.
     *
     * @return seconds since 1970
     */
    public long medianTimePast() {
        long[] times = new long[Math.min(MEDIAN_SPAN, height + 1)];
        IndexedBlock block = this;
        for (int i = 0; i < times.length; i++) {
            times[i] = block.header.time();
            block = block.parent.orElse(block);
        }
        Arrays.sort(times);
        return times[times.length / 2];
    }

    /**
     * Returns the block of this branch at a height.
     *
     * @param wanted 0 up to this block's height
     * @return this block or one before it
     * @throws IllegalArgumentException if out of range
     */
    public IndexedBlock ancestor(int wanted) {
        if (wanted < 0 || wanted > height) {
            throw new IllegalArgumentException("no ancestor at height " + wanted + " of a block at " + height);
        }
        IndexedBlock block = this;
        while (block.height > wanted) {
            block = block.parent.orElseThrow();
        }
        return block;
    }

    void storeBody(RawBlock received, long order) {
        body = Optional.of(received);
        arrival = order;
    }

    void prefer(long order) {
        arrival = order;
    }

    void failByItself() {
        failure = Failure.OWN;
    }

    void failByAncestor() {
        if (failure == Failure.NONE) {
            failure = Failure.ANCESTOR;
        }
    }

    /** Follows the parent, unless this block failed by itself. Called for the parent first. */
    void inheritFailure() {
        if (failure != Failure.OWN) {
            failure = parent.filter(IndexedBlock::isFailed).isPresent() ? Failure.ANCESTOR : Failure.NONE;
        }
    }

    void clearFailure() {
        failure = Failure.NONE;
    }

    @Override
    public String toString() {
        return "IndexedBlock[" + height + ", " + hash + "]";
    }
}

package org.prismpool.app.devnode.chain;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.Hash256;

/**
 * All known headers as a tree, and the active chain through it. Not thread-safe: guarded by the lock of the chain state
 * that owns it.
 *
 * <p>The best block is the one with the most work among those whose whole branch has arrived and did not fail; between
 * equals the first to arrive wins.
 */
public final class BlockTree {

    private static final Comparator<IndexedBlock> BETTER = Comparator.comparing(IndexedBlock::chainWork)
            .thenComparing(Comparator.comparingLong(IndexedBlock::arrival).reversed());

    private final Map<Hash256, IndexedBlock> blocks = new HashMap<>();
    private final Map<Hash256, List<IndexedBlock>> children = new HashMap<>();
    private final List<IndexedBlock> active = new ArrayList<>();
    private long arrivals;
    private long preferences;

    /**
     * Creates a tree with only a genesis block, which is active.
     *
     * @param genesis the first block
     */
    public BlockTree(RawBlock genesis) {
        IndexedBlock first = new IndexedBlock(genesis.header(), Optional.empty());
        first.storeBody(genesis, arrivals++);
        blocks.put(first.hash(), first);
        active.add(first);
    }

    /**
     * Finds a block.
     *
     * @param hash its hash
     * @return the entry, or empty if the header is unknown
     */
    public Optional<IndexedBlock> find(Hash256 hash) {
        return Optional.ofNullable(blocks.get(hash));
    }

    /**
     * Returns the best block of the active chain.
     *
     * @return the tip
     */
    public IndexedBlock tip() {
        return active.get(active.size() - 1);
    }

    /**
     * Returns the active block at a height.
     *
     * @param height any number
     * @return empty above the tip and below 0
     */
    public Optional<IndexedBlock> activeAt(long height) {
        return height < 0 || height >= active.size() ? Optional.empty() : Optional.of(active.get((int) height));
    }

    /**
     * Tells whether a block is on the active chain.
     *
     * @param block an entry of this tree
     * @return true if active
     */
    public boolean isActive(IndexedBlock block) {
        return activeAt(block.height()).filter(block::equals).isPresent();
    }

    /**
     * Adds a header below a known parent.
     *
     * @param header a header that is not in the tree
     * @param parent its parent
     * @return the new entry, without a body
     */
    public IndexedBlock addHeader(BlockHeader header, IndexedBlock parent) {
        IndexedBlock block = new IndexedBlock(header, Optional.of(parent));
        blocks.put(block.hash(), block);
        children.computeIfAbsent(parent.hash(), key -> new ArrayList<>()).add(block);
        return block;
    }

    /**
     * Stores the transactions of a block.
     *
     * @param block an entry without a body
     * @param body its transactions
     */
    public void storeBody(IndexedBlock block, RawBlock body) {
        block.storeBody(body, arrivals++);
    }

    /**
     * Makes a block win against others of equal work from now on.
     *
     * @param block an entry with a body
     */
    public void prefer(IndexedBlock block) {
        preferences--;
        block.prefer(preferences);
    }

    /**
     * Marks a block and everything after it as failed.
     *
     * @param block an entry
     */
    public void fail(IndexedBlock block) {
        block.failByItself();
        forDescendants(block, IndexedBlock::failByAncestor);
    }

    /**
     * Clears the failure of a block, of everything after it and of everything before it.
     *
     * @param block an entry
     */
    public void reconsider(IndexedBlock block) {
        Optional<IndexedBlock> at = Optional.of(block);
        while (at.isPresent()) {
            at.get().clearFailure();
            at = at.get().parent();
        }
        forDescendants(block, IndexedBlock::clearFailure);
        // Other branches of a cleared ancestor failed only because of it.
        blocks.values().stream()
                .sorted(Comparator.comparingInt(IndexedBlock::height))
                .forEach(IndexedBlock::inheritFailure);
    }

    /**
     * Returns the block that should be the tip.
     *
     * @return the present tip when nothing is better
     */
    public IndexedBlock best() {
        return blocks.values().stream()
                .filter(this::canBeActive)
                .max(BETTER)
                .orElseThrow(() -> new IllegalStateException("the genesis block can always be active"));
    }

    /**
     * Returns the last block that a branch has in common with the active chain.
     *
     * @param block an entry
     * @return an active block
     */
    public IndexedBlock fork(IndexedBlock block) {
        IndexedBlock at = block;
        while (!isActive(at)) {
            at = at.parent().orElseThrow();
        }
        return at;
    }

    /**
     * Returns the path from an active block to a later one.
     *
     * @param fork an active ancestor
     * @param block the end of the path
     * @return blocks after the fork, lowest first; empty when both are the same
     */
    public List<IndexedBlock> path(IndexedBlock fork, IndexedBlock block) {
        Deque<IndexedBlock> path = new ArrayDeque<>();
        for (IndexedBlock at = block; !at.equals(fork); at = at.parent().orElseThrow()) {
            path.addFirst(at);
        }
        return List.copyOf(path);
    }

    /**
     * Makes a block the new tip.
     *
     * @param block a child of the present tip
     */
    public void pushActive(IndexedBlock block) {
        if (!block.parent().equals(Optional.of(tip()))) {
            throw new IllegalArgumentException("a new tip must extend the present one");
        }
        active.add(block);
    }

    /** Makes the tip's parent the tip. */
    public void popActive() {
        if (active.size() == 1) {
            throw new IllegalStateException("the genesis block stays");
        }
        active.remove(active.size() - 1);
    }

    /**
     * Returns the number of known headers.
     *
     * @return 1 or more
     */
    public int size() {
        return blocks.size();
    }

    /** Walks down to the active chain: the branch must be complete and free of failures. */
    private boolean canBeActive(IndexedBlock block) {
        IndexedBlock at = block;
        while (!at.isFailed() && at.body().isPresent()) {
            if (isActive(at)) {
                return true;
            }
            at = at.parent().orElseThrow();
        }
        return false;
    }

    private void forDescendants(IndexedBlock block, Consumer<IndexedBlock> action) {
        Deque<IndexedBlock> open = new ArrayDeque<>(children.getOrDefault(block.hash(), List.of()));
        while (!open.isEmpty()) {
            IndexedBlock next = open.remove();
            action.accept(next);
            open.addAll(children.getOrDefault(next.hash(), List.of()));
        }
    }
}

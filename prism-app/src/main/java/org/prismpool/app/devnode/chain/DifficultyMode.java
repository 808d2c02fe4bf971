package org.prismpool.app.devnode.chain;

import java.util.List;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Target;

/** How the node decides the bits of the next block; always a function of the parent. */
public sealed interface DifficultyMode {

    /**
     * Returns the bits that a child of a block must carry.
     *
     * @param parent the block before
     * @param powLimit easiest target of the network
     * @return compact bits
     */
    int nextBits(IndexedBlock parent, Target powLimit);

    /**
     * Returns the mode of unit tests: {@code 207fffff} always, two hashes per block on average.
     *
     * @return the mode
     */
    static DifficultyMode regtest() {
        return new Fixed(0x207fffff);
    }

    /**
     * Returns the mode of the demo: a first block that costs nothing, then {@code 1e00ffff} (16.8 million hashes).
     *
     * @return the mode
     */
    static DifficultyMode demo() {
        return new Scripted(List.of(0x207fffff, 0x1e00ffff));
    }

    /**
     * The same bits for every block.
     *
     * @param bits compact bits
     */
    record Fixed(int bits) implements DifficultyMode {

        /** Checks that the bits are a target. */
        public Fixed {
            CompactTarget.ofBits(bits);
        }

        @Override
        public int nextBits(IndexedBlock parent, Target powLimit) {
            return bits;
        }
    }

    /**
     * Adjustment to a schedule, counted from a block of the branch itself.
     *
     * @param anchorBits bits up to and at the anchor
     * @param spacingSeconds intended time between blocks, more than zero
     * @param halfLifeSeconds delay that doubles the target, more than zero
     * @param anchorHeight height of the anchor block: 0 for the genesis block; 1 suits a new chain, whose genesis block is
     *     years older than its first block
     */
    record Asert(int anchorBits, long spacingSeconds, long halfLifeSeconds, int anchorHeight)
            implements DifficultyMode {

        /** Checks the ranges. */
        public Asert {
            CompactTarget.ofBits(anchorBits);
            if (spacingSeconds <= 0 || halfLifeSeconds <= 0 || anchorHeight < 0) {
                throw new IllegalArgumentException("spacing and half-life must be positive, the height not negative");
            }
        }

        @Override
        public int nextBits(IndexedBlock parent, Target powLimit) {
            if (parent.height() < anchorHeight) {
                return anchorBits;
            }
            IndexedBlock anchor = parent.ancestor(anchorHeight);
            return AsertFormula.nextBits(
                    anchorBits,
                    spacingSeconds,
                    halfLifeSeconds,
                    parent.header().time() - anchor.header().time(),
                    parent.height() - anchorHeight,
                    powLimit);
        }
    }

    /**
     * A list of bits by height, the first for height 1; the last one stays.
     *
     * @param bits compact bits, one or more
     */
    record Scripted(List<Integer> bits) implements DifficultyMode {

        /** Copies the list and checks each entry. */
        public Scripted {
            bits = List.copyOf(bits);
            if (bits.isEmpty()) {
                throw new IllegalArgumentException("a script of bits needs an entry");
            }
            bits.forEach(CompactTarget::ofBits);
        }

        @Override
        public int nextBits(IndexedBlock parent, Target powLimit) {
            return bits.get(Math.min(parent.height(), bits.size() - 1));
        }
    }
}

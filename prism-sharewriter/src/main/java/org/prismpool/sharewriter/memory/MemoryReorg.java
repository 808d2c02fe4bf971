package org.prismpool.sharewriter.memory;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.MatureBlockException;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.block.ReorgRows;
import org.prismpool.sharewriter.fanout.FanoutStatus;

/** Quarantine, return and maturity in memory. */
final class MemoryReorg implements ReorgRows {

    private static final Comparator<PoolBlock> BY_HEIGHT =
            Comparator.comparingLong(PoolBlock::height).thenComparing(PoolBlock::blockHash);

    private final MemoryState state;

    MemoryReorg(MemoryState state) {
        this.state = state;
    }

    @Override
    public List<PoolBlock> watched(Deadline deadline) {
        return blocks(
                block -> (block.chain == ChainState.CONFIRMED || block.chain == ChainState.INACTIVE)
                        && block.maturity == MaturityState.IMMATURE,
                BY_HEIGHT,
                Integer.MAX_VALUE);
    }

    @Override
    public List<PoolBlock> rejectedAbove(long height, Deadline deadline) {
        return blocks(
                block -> block.chain == ChainState.REJECTED && block.facts.height() > height,
                BY_HEIGHT,
                Integer.MAX_VALUE);
    }

    @Override
    public List<PoolBlock> strandedPrepared(long height, int limit, Deadline deadline) {
        return blocks(
                block -> block.chain == ChainState.PREPARED
                        && block.maturity == MaturityState.IMMATURE
                        && block.facts.height() <= height
                        && !pending(block.facts.blockHash()),
                BY_HEIGHT,
                limit);
    }

    private boolean pending(String hash) {
        MemoryState.@Nullable Candidate candidate = state.candidates.get(hash);
        return candidate != null && candidate.state == CandidateState.PENDING;
    }

    @Override
    public List<PoolBlock> newestMature(int limit, Deadline deadline) {
        return blocks(
                block -> block.maturity == MaturityState.MATURE,
                Comparator.comparingLong(PoolBlock::height).reversed().thenComparing(PoolBlock::blockHash),
                limit);
    }

    private List<PoolBlock> blocks(Predicate<MemoryState.Block> condition, Comparator<PoolBlock> order, int limit) {
        synchronized (state) {
            return state.blocks.values().stream()
                    .filter(condition)
                    .map(MemoryState.Block::row)
                    .sorted(order)
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public boolean markInactive(String blockHash, long tipHeight, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(MemoryBlocks.lower(blockHash));
            if (block == null) {
                return false;
            }
            if (block.maturity == MaturityState.MATURE) {
                throw new MatureBlockException(
                        "refusing to mark mature pool block inactive " + block.facts.blockHash());
            }
            if (block.chain != ChainState.CONFIRMED) {
                return false;
            }
            block.chain = ChainState.INACTIVE;
            return true;
        }
    }

    @Override
    public boolean reactivate(String blockHash, long tipHeight, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(MemoryBlocks.lower(blockHash));
            if (block == null
                    || block.chain != ChainState.INACTIVE
                    || block.maturity != MaturityState.IMMATURE
                    || block.facts.height() > tipHeight) {
                return false;
            }
            block.chain = ChainState.CONFIRMED;
            return true;
        }
    }

    @Override
    public int reinstate(String blockHash, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(MemoryBlocks.lower(blockHash));
            if (block == null || block.chain != ChainState.REJECTED) {
                return 0;
            }
            block.chain = ChainState.PREPARED;
            block.maturity = MaturityState.IMMATURE;
            return 1 + cascade(state, block, MaturityState.REVERSED, MaturityState.IMMATURE);
        }
    }

    @Override
    public int reverseImmature(String blockHash, long tipHeight, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(MemoryBlocks.lower(blockHash));
            if (block == null) {
                return 0;
            }
            boolean landed = block.chain == ChainState.CONFIRMED || block.chain == ChainState.INACTIVE;
            boolean deep = tipHeight >= block.facts.height() + PoolBlock.MATURITY;
            if (landed && (block.maturity == MaturityState.MATURE || deep)) {
                throw new MatureBlockException("refusing to reverse mature pool block " + block.facts.blockHash());
            }
            int touched = 0;
            if ((landed || block.chain == ChainState.PREPARED) && block.maturity == MaturityState.IMMATURE) {
                block.chain = ChainState.REVERSED;
                block.maturity = MaturityState.REVERSED;
                touched = 1;
            }
            return touched + cascade(state, block, MaturityState.IMMATURE, MaturityState.REVERSED);
        }
    }

    /** Moves payout entries, journal rows and artifacts along; counts each of the three. */
    static int cascade(MemoryState state, MemoryState.Block block, MaturityState from, MaturityState to) {
        int touched = 0;
        for (MemoryState.Carry carry : block.carry) {
            if (carry.maturity == from) {
                carry.maturity = to;
                touched += 2;
            }
        }
        for (MemoryState.Fanout fanout : state.fanouts.values()) {
            if (fanout.blockHash.equals(block.facts.blockHash()) && moves(fanout, to)) {
                fanout.status = to == MaturityState.REVERSED ? FanoutStatus.REORGED : FanoutStatus.AWAITING_MATURITY;
                fanout.updatedAtMs = state.wallClockMs.getAsLong();
                touched++;
            }
        }
        return touched;
    }

    private static boolean moves(MemoryState.Fanout fanout, MaturityState to) {
        return to == MaturityState.REVERSED
                ? fanout.status != FanoutStatus.CONFIRMED
                : fanout.status == FanoutStatus.REORGED;
    }

    @Override
    public int matureUpTo(long tipHeight, Deadline deadline) {
        synchronized (state) {
            int matured = 0;
            for (MemoryState.Block block : state.blocks.values()) {
                if (block.chain == ChainState.CONFIRMED && block.facts.height() <= tipHeight - PoolBlock.MATURITY) {
                    matured += mature(block);
                }
            }
            return matured;
        }
    }

    private int mature(MemoryState.Block block) {
        if (block.maturity == MaturityState.IMMATURE) {
            block.maturity = MaturityState.MATURE;
        }
        int matured = 0;
        for (MemoryState.Carry carry : block.carry) {
            if (carry.maturity == MaturityState.IMMATURE) {
                carry.maturity = MaturityState.MATURE;
                matured++;
            }
        }
        for (MemoryState.Fanout fanout : state.fanouts.values()) {
            if (fanout.blockHash.equals(block.facts.blockHash()) && fanout.status == FanoutStatus.AWAITING_MATURITY) {
                fanout.status = FanoutStatus.BROADCASTABLE;
                fanout.updatedAtMs = state.wallClockMs.getAsLong();
            }
        }
        return matured;
    }
}

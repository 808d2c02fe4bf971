package org.prismpool.sharewriter.memory;

import com.google.common.collect.HashMultiset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.ConfirmResult;
import org.prismpool.sharewriter.block.ConfirmResult.Outcome;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.block.PersistResult;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.block.PoolBlocks;

/** Landing, confirmation and disposal in memory. */
final class MemoryBlocks implements PoolBlocks {

    private final MemoryState state;

    MemoryBlocks(MemoryState state) {
        this.state = state;
    }

    @Override
    public PersistResult persist(AcceptedBlock block, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block recorded = recorded(block);
            if (recorded == null) {
                insert(block);
            } else {
                compareRows(recorded, block);
            }
            int paid = (int) block.accounts().stream()
                    .filter(account -> account.action() == PayoutAction.ONCHAIN)
                    .count();
            int rows = block.accounts().size();
            return new PersistResult(recorded == null, rows, rows, paid);
        }
    }

    private void insert(AcceptedBlock block) {
        PoolBlock facts = new PoolBlock(
                block.blockHash(),
                block.height(),
                block.parentHash(),
                block.coinbaseTxid(),
                block.payoutManifestSha256(),
                state.wallClockMs.getAsLong(),
                ChainState.PREPARED,
                MaturityState.IMMATURE,
                OptionalLong.empty());
        MemoryState.Block row = new MemoryState.Block(facts, block.bundle());
        for (PayoutAccount account : block.accounts()) {
            row.carry.add(new MemoryState.Carry(state.nextCarrySeq++, account));
        }
        state.blocks.put(block.blockHash(), row);
    }

    private MemoryState.@Nullable Block recorded(AcceptedBlock block) {
        MemoryState.@Nullable Block recorded = state.blocks.get(block.blockHash());
        if (recorded == null) {
            return null;
        }
        PoolBlock facts = recorded.facts;
        if (facts.height() != block.height()
                || !facts.parentHash().equals(block.parentHash())
                || !facts.coinbaseTxid().equals(block.coinbaseTxid())
                || !facts.payoutManifestSha256().equals(block.payoutManifestSha256())) {
            throw new BlockMismatchException("existing block metadata does not match payload");
        }
        if (!recorded.originalBundle.sha256().equals(block.bundle().sha256())
                || !recorded.originalBundle
                        .coinbaseTxHex()
                        .equals(block.bundle().coinbaseTxHex())) {
            throw new BlockMismatchException("existing audit bundle does not match payload");
        }
        return recorded;
    }

    private static void compareRows(MemoryState.Block recorded, AcceptedBlock block) {
        List<PayoutAccount> journal =
                recorded.carry.stream().map(carry -> carry.account).toList();
        if (!entries(journal).equals(entries(block.accounts()))) {
            throw new BlockMismatchException("existing payout entries do not match payload");
        }
        if (!HashMultiset.create(journal).equals(HashMultiset.create(block.accounts()))) {
            throw new BlockMismatchException("existing carry-forward rows do not match payload");
        }
    }

    private static HashMultiset<List<Object>> entries(List<PayoutAccount> accounts) {
        HashMultiset<List<Object>> entries = HashMultiset.create();
        for (PayoutAccount account : accounts) {
            entries.add(List.of(
                    account.minerId(),
                    account.orderKey(),
                    account.program(),
                    account.onchainSats(),
                    account.carryForwardSats(),
                    account.action()));
        }
        return entries;
    }

    @Override
    public Optional<AuditBundleRow.External> checkBeforeBody(AcceptedBlock block, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block recorded = recorded(block);
            return recorded != null && recorded.bundle.body() instanceof AuditBundleRow.External file
                    ? Optional.of(file)
                    : Optional.empty();
        }
    }

    @Override
    public ConfirmResult confirm(String blockHash, long height, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(lower(blockHash));
            if (block == null) {
                return new ConfirmResult(Outcome.UNEXPLAINED, OptionalLong.empty());
            }
            boolean atHeight = block.facts.height() == height;
            if (atHeight && block.chain == ChainState.PREPARED && block.maturity == MaturityState.IMMATURE) {
                block.chain = ChainState.CONFIRMED;
                block.publication = OptionalLong.of(state.nextPublication++);
                return new ConfirmResult(Outcome.CONFIRMED, block.publication);
            }
            if (block.chain == ChainState.CONFIRMED && atHeight) {
                return new ConfirmResult(Outcome.ALREADY_CONFIRMED, block.publication);
            }
            boolean disposed = block.chain != ChainState.PREPARED && block.chain != ChainState.CONFIRMED;
            return new ConfirmResult(disposed ? Outcome.SUPERSEDED : Outcome.UNEXPLAINED, OptionalLong.empty());
        }
    }

    @Override
    public int rejectPrepared(String blockHash, long tipHeight, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(lower(blockHash));
            if (block == null || block.chain != ChainState.PREPARED || block.maturity != MaturityState.IMMATURE) {
                return 0;
            }
            block.chain = ChainState.REJECTED;
            block.maturity = MaturityState.REVERSED;
            return 1 + MemoryReorg.cascade(state, block, MaturityState.IMMATURE, MaturityState.REVERSED);
        }
    }

    @Override
    public Optional<PoolBlock> find(String blockHash, Deadline deadline) {
        synchronized (state) {
            return Optional.ofNullable(state.blocks.get(lower(blockHash))).map(MemoryState.Block::row);
        }
    }

    @Override
    public long publicationFloor(Deadline deadline) {
        synchronized (state) {
            return state.blocks.values().stream()
                    .mapToLong(block -> block.publication.orElse(0))
                    .max()
                    .orElse(0);
        }
    }

    static String lower(String hash) {
        return hash.toLowerCase(Locale.ROOT);
    }
}

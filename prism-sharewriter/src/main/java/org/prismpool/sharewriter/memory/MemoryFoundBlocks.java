package org.prismpool.sharewriter.memory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.block.AuditBundleRow.FoundBlockFacts;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.internal.Pages;
import org.prismpool.sharewriter.internal.ShareNames;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.FoundBlock.Solver;
import org.prismpool.sharewriter.read.FoundBlocks;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;

/** Landed blocks in memory. */
final class MemoryFoundBlocks implements FoundBlocks {

    private static final Comparator<MemoryState.Block> ORDER = Comparator.comparingLong(
                    (MemoryState.Block block) -> block.facts.height())
            .thenComparingLong(block -> block.facts.foundAtMs())
            .reversed()
            .thenComparing(block -> block.facts.blockHash());

    private final MemoryState state;

    MemoryFoundBlocks(MemoryState state) {
        this.state = state;
    }

    @Override
    public Paged<FoundBlock> page(PageRequest page, Deadline deadline) {
        synchronized (state) {
            Paged<MemoryState.Block> cut = Pages.cut(shown(), page);
            Map<String, PendingShare> solvers = solvers();
            return new Paged<>(
                    cut.totalCount(),
                    cut.rows().stream().map(block -> row(block, solvers)).toList());
        }
    }

    @Override
    public Optional<FoundBlock> latest(Deadline deadline) {
        synchronized (state) {
            return shown().stream().findFirst().map(block -> row(block, solvers()));
        }
    }

    /** Blocks that pages show, in order; the caller holds the state. */
    List<MemoryState.Block> shown() {
        List<MemoryState.Block> shown = new ArrayList<>(state.blocks.values());
        shown.removeIf(block -> block.chain == ChainState.REVERSED);
        shown.sort(ORDER);
        return shown;
    }

    /** Blocks per solver; the caller holds the state. */
    Map<String, Long> found() {
        Map<String, PendingShare> solvers = solvers();
        Map<String, Long> found = new HashMap<>();
        for (MemoryState.Block block : shown()) {
            Optional.ofNullable(solvers.get(block.facts.blockHash()))
                    .ifPresent(share -> found.merge(share.minerId(), 1L, Long::sum));
        }
        return found;
    }

    /** The newest share of each hash: at the same time of acceptance the one with the higher sequence. */
    private Map<String, PendingShare> solvers() {
        Map<String, PendingShare> solvers = new HashMap<>();
        for (StoredShare row : state.shares) {
            String id = row.share().shareId();
            if (id.length() >= ShareNames.SUFFIX) {
                solvers.merge(
                        id.substring(id.length() - ShareNames.SUFFIX + 1).toLowerCase(Locale.ROOT),
                        row.share(),
                        (older, newer) -> newer.acceptedAtMs() >= older.acceptedAtMs() ? newer : older);
            }
        }
        return solvers;
    }

    private static FoundBlock row(MemoryState.Block block, Map<String, PendingShare> solvers) {
        Optional<FoundBlockFacts> facts = block.bundle.facts();
        return new FoundBlock(
                block.facts.height(),
                block.facts.blockHash(),
                Instant.ofEpochMilli(block.facts.foundAtMs()),
                facts.map(FoundBlockFacts::networkDifficulty),
                facts.map(FoundBlockFacts::bits),
                facts.map(known -> OptionalLong.of(known.coinbaseValueSats())).orElse(OptionalLong.empty()),
                Optional.ofNullable(solvers.get(block.facts.blockHash())).map(MemoryFoundBlocks::solver),
                Optional.of(block.bundle.sha256()),
                block.facts.payoutManifestSha256());
    }

    private static Solver solver(PendingShare share) {
        return new Solver(
                share.minerId(),
                ShareNames.username(share.shareId()),
                share.shareDifficulty(),
                share.networkDifficulty());
    }
}

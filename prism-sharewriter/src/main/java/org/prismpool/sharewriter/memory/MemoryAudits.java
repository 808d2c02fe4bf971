package org.prismpool.sharewriter.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.AuditRow;
import org.prismpool.sharewriter.block.AuditRows;
import org.prismpool.sharewriter.block.PaidRow;
import org.prismpool.sharewriter.block.PayoutRow;

/** Audit bundles in memory. */
final class MemoryAudits implements AuditRows {

    private static final Comparator<PayoutRow> ORDER = Comparator.comparing(PayoutRow::orderKey)
            .thenComparing(PayoutRow::minerId)
            .thenComparing(PayoutRow::program);

    private final MemoryState state;

    MemoryAudits(MemoryState state) {
        this.state = state;
    }

    @Override
    public Optional<AuditRow> find(String blockHash, Deadline deadline) {
        synchronized (state) {
            return Optional.ofNullable(state.blocks.get(MemoryBlocks.lower(blockHash)))
                    .map(MemoryAudits::row);
        }
    }

    private static AuditRow row(MemoryState.Block block) {
        return new AuditRow(block.row(), block.bundle, block.facts.foundAtMs());
    }

    @Override
    public List<AuditRow> committing(String leafHex, int limit, Deadline deadline) {
        String leaf = leafHex.toLowerCase(Locale.ROOT);
        synchronized (state) {
            return state.blocks.values().stream()
                    .filter(block -> commits(block.bundle, leaf))
                    .map(MemoryAudits::row)
                    .sorted(Comparator.comparingLong(
                                    (AuditRow row) -> row.block().height())
                            .reversed())
                    .limit(limit)
                    .toList();
        }
    }

    private static boolean commits(AuditBundleRow bundle, String leaf) {
        return bundle.commitmentLeavesHex().orElse(List.of()).contains(leaf)
                || bundle.witnessLeavesHex().orElse(List.of()).contains(leaf);
    }

    @Override
    public List<String> inlineBodies(int limit, Deadline deadline) {
        synchronized (state) {
            return state.blocks.values().stream()
                    .filter(block -> block.bundle.body() instanceof AuditBundleRow.Inline)
                    .sorted(Comparator.comparingLong((MemoryState.Block block) -> block.facts.foundAtMs())
                            .thenComparing(block -> block.facts.blockHash()))
                    .map(block -> block.facts.blockHash())
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public boolean externalise(String blockHash, String sha256, AuditBundleRow.External file, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(MemoryBlocks.lower(blockHash));
            if (block == null
                    || !block.bundle.sha256().equals(sha256)
                    || !(block.bundle.body() instanceof AuditBundleRow.Inline)) {
                return false;
            }
            AuditBundleRow old = block.bundle;
            block.bundle = new AuditBundleRow(
                    file,
                    old.sha256(),
                    old.coinbaseTxHex(),
                    old.schemaVersion(),
                    old.facts(),
                    old.commitmentLeavesHex(),
                    old.witnessLeavesHex());
            return true;
        }
    }

    @Override
    public List<PayoutRow> payouts(String blockHash, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(MemoryBlocks.lower(blockHash));
            if (block == null) {
                return List.of();
            }
            List<PayoutRow> rows = asWritten(block);
            rows.sort(ORDER);
            return rows;
        }
    }

    private static List<PayoutRow> asWritten(MemoryState.Block block) {
        List<PayoutRow> rows = new ArrayList<>();
        for (MemoryState.Carry carry : block.carry) {
            rows.add(new PayoutRow(
                    block.facts.blockHash(),
                    block.facts.height(),
                    carry.account.minerId(),
                    carry.account.orderKey(),
                    carry.account.program(),
                    carry.account.onchainSats(),
                    carry.account.carryForwardSats(),
                    carry.account.action(),
                    carry.maturity));
        }
        return rows;
    }

    @Override
    public List<PaidRow> paidTo(String minerId, int limit, Deadline deadline) {
        synchronized (state) {
            List<PaidRow> paid = new ArrayList<>();
            for (MemoryState.Block block : state.blocks.values()) {
                asWritten(block).stream()
                        .filter(row -> row.minerId().equals(minerId))
                        .map(row -> new PaidRow(block.row(), row, block.facts.foundAtMs()))
                        .forEach(paid::add);
            }
            Collections.reverse(paid); // later entries first where the height is the same
            paid.sort(Comparator.comparingLong((PaidRow row) -> row.block().height())
                    .reversed());
            return List.copyOf(paid.subList(0, Math.min(limit, paid.size())));
        }
    }
}

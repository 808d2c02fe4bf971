package org.prismpool.sharewriter.memory;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.fanout.FanoutRow;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.internal.Pages;
import org.prismpool.sharewriter.read.BlockSettlement;
import org.prismpool.sharewriter.read.BlockSettlement.ManifestSet;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.PublicArtifact;
import org.prismpool.sharewriter.read.PublicFanout;
import org.prismpool.sharewriter.read.SettlementReads;

/** Settlements and their documents in memory. */
final class MemorySettlementReads implements SettlementReads {

    private final MemoryState state;
    private final MemoryFanouts fanouts;

    MemorySettlementReads(MemoryState state, MemoryFanouts fanouts) {
        this.state = state;
        this.fanouts = fanouts;
    }

    @Override
    public Optional<BlockSettlement> ofBlock(String blockHash, Deadline deadline) {
        String hash = MemoryBlocks.lower(blockHash);
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(hash);
            if (block == null) {
                return Optional.empty();
            }
            return Optional.of(new BlockSettlement(
                    block.row(),
                    Optional.of(block.bundle),
                    Optional.ofNullable(state.fanoutSets.get(hash)).map(MemorySettlementReads::manifestSet),
                    fanouts.ofBlock(hash, deadline).stream().map(this::fanout).toList()));
        }
    }

    private static ManifestSet manifestSet(FanoutSet set) {
        return new ManifestSet(
                set.manifestSetSha256(),
                set.settlementMode(),
                set.manifestSetJson().getBytes(StandardCharsets.UTF_8).length);
    }

    @Override
    public Optional<PublicFanout> fanout(String fanoutTxid, Deadline deadline) {
        synchronized (state) {
            return fanouts.find(fanoutTxid, deadline).map(this::fanout);
        }
    }

    private PublicFanout fanout(FanoutRow row) {
        Optional<MemoryState.Attempt> last = Optional.ofNullable(
                        state.fanouts.get(row.artifact().fanoutTxid()))
                .flatMap(fanout -> fanout.last);
        return new PublicFanout(
                row,
                Optional.ofNullable(state.blocks.get(row.block().blockHash())).map(block -> block.bundle.sha256()),
                last.map(attempt -> Instant.ofEpochMilli(attempt.atMs())),
                last.flatMap(attempt -> attempt.attempt().error()));
    }

    @Override
    public Paged<PublicFanout> pendingFanouts(PageRequest page, Deadline deadline) {
        synchronized (state) {
            List<PublicFanout> pending =
                    fanouts.pending().stream().map(this::fanout).toList();
            return Pages.cut(pending, page);
        }
    }

    @Override
    public Optional<PublicArtifact> artifact(String digest, Deadline deadline) {
        String wanted = MemoryBlocks.lower(digest);
        synchronized (state) {
            return bundle(wanted)
                    .or(() -> manifestSet(wanted))
                    .or(() -> manifest(wanted))
                    .or(() -> fanouts.find(wanted, deadline)
                            .map(row -> new PublicArtifact.FanoutTransaction(
                                    row.artifact().txHex())));
        }
    }

    private Optional<PublicArtifact> bundle(String digest) {
        return state.blocks.values().stream()
                .filter(block -> block.bundle.sha256().equals(digest))
                .findFirst()
                .map(block -> new PublicArtifact.Bundle(block.facts.blockHash(), block.bundle));
    }

    private Optional<PublicArtifact> manifestSet(String digest) {
        return state.fanoutSets.values().stream()
                .filter(set -> set.manifestSetSha256().equals(digest))
                .findFirst()
                .map(set -> new PublicArtifact.ManifestSet(set.manifestSetJson()));
    }

    private Optional<PublicArtifact> manifest(String digest) {
        return state.fanouts.values().stream()
                .filter(fanout -> fanout.artifact.manifestSha256().equals(digest))
                .findFirst()
                .map(fanout -> new PublicArtifact.Manifest(fanout.artifact.manifestJson()));
    }
}

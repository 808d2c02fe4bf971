package org.prismpool.app.composition.block;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.prismpool.app.composition.backend.AuditFiles;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.finalization.BlockEvidence;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Audit files of blocks that no candidate publishes any more: those that were reinstated, and at the start of the process the
 * newest confirmed one, if an earlier process did not reach its publication. Publishing again changes nothing.
 *
 * <p>Confined to the thread of the reorganisation pass, but for the map: a block accounted there runs on the finalizer's.
 */
public final class AuditRepublication {

    private static final Logger LOG = LoggerFactory.getLogger(AuditRepublication.class);

    private final AuditFiles files;
    private final Supplier<BlockEvidence.ShareCounts> counts;
    private final Map<Hash256, Long> owed = new LinkedHashMap<>(); // guarded by this; hash to ordinal
    private boolean started; // guarded by this

    public AuditRepublication(AuditFiles files, Supplier<BlockEvidence.ShareCounts> counts) {
        this.files = files;
        this.counts = counts;
    }

    /** Looks at the rows of the first pass for the block whose publication may be missing. */
    synchronized void started(List<PoolBlock> rows) {
        if (started) {
            return;
        }
        started = true;
        rows.stream()
                .filter(row -> row.chainState() == ChainState.CONFIRMED)
                .filter(row -> row.publicationSequence().isPresent())
                .max(Comparator.comparingLong(row -> row.publicationSequence().orElseThrow()))
                .filter(newest ->
                        files.publishedSequence() < newest.publicationSequence().orElseThrow())
                .ifPresent(newest -> owe(
                        Hash256.ofDisplayHex(newest.blockHash()),
                        newest.publicationSequence().orElseThrow()));
    }

    synchronized void owe(Hash256 hash, long sequence) {
        owed.put(hash, sequence);
    }

    /** Publishes what is owed; a failure is reported and tried again by the next pass, which it must not stop. */
    void publishOwed(Deadline deadline) {
        for (Optional<Map.Entry<Hash256, Long>> next = first(); next.isPresent(); next = first()) {
            Hash256 hash = next.get().getKey();
            try {
                files.republish(hash, next.get().getValue(), counts.get(), deadline);
            } catch (RuntimeException failed) {
                LOG.atError()
                        .addKeyValue("block", hash.displayHex())
                        .setCause(failed)
                        .log("audit files of a confirmed block not published yet");
                return;
            }
            settle(hash, next.get().getValue());
        }
    }

    private synchronized Optional<Map.Entry<Hash256, Long>> first() {
        return owed.entrySet().stream().findFirst().map(entry -> Map.entry(entry.getKey(), entry.getValue()));
    }

    private synchronized void settle(Hash256 hash, long sequence) {
        owed.remove(hash, sequence);
    }
}

package org.prismpool.sharewriter.read;

import java.util.List;
import java.util.Optional;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.PoolBlock;

/**
 * How a block was settled.
 *
 * @param block the block
 * @param bundle its audit bundle, empty without a bundle row
 * @param manifestSet its covenant settlement; without one only the bundle's body tells whether the coinbase pays directly
 * @param fanouts its fanout transactions by chunk
 */
public record BlockSettlement(
        PoolBlock block,
        Optional<AuditBundleRow> bundle,
        Optional<ManifestSet> manifestSet,
        List<PublicFanout> fanouts) {

    /** Copies the list. */
    public BlockSettlement {
        fanouts = List.copyOf(fanouts);
    }

    /**
     * Manifest set of a block.
     *
     * @param sha256 digest of its canonical text
     * @param settlementMode {@code hybrid_coinbase_ctv_fanout} or {@code ctv_fanout}
     * @param byteLength length of its canonical text in UTF-8 bytes
     */
    public record ManifestSet(String sha256, String settlementMode, long byteLength) {}
}

package org.prismpool.app.devnode.mining;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.app.devnode.mempool.MempoolEntry;
import org.prismpool.app.devnode.state.Chainstate;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.VersionLayout;

/**
 * Everything a template is made of, taken at one moment.
 *
 * @param parent hash of the tip
 * @param height height of the block to come
 * @param version header version
 * @param bits compact bits it must carry
 * @param curtime suggested block time, seconds since 1970
 * @param mintime earliest valid block time
 * @param coinbaseValueSats subsidy and fees
 * @param entries chosen transactions in order of arrival
 * @param mempoolChanges change counter of the mempool
 * @param mempoolBumps how often the mempool was bumped
 */
public record TemplateSnapshot(
        Hash256 parent,
        int height,
        int version,
        int bits,
        long curtime,
        long mintime,
        long coinbaseValueSats,
        List<MempoolEntry> entries,
        long mempoolChanges,
        long mempoolBumps) {

    private static final int RESERVED_WEIGHT = 4_000;

    /** Copies the list. */
    public TemplateSnapshot {
        entries = List.copyOf(entries);
    }

    /**
     * Makes a template without transactions on any block.
     *
     * @param chain read under its lock
     * @param parent a block of its tree
     * @return the template
     */
    public static TemplateSnapshot emptyOn(Chainstate chain, IndexedBlock parent) {
        return on(chain, parent, List.of(), 0);
    }

    /**
     * Takes a template of the present tip.
     *
     * @param chain read under its lock
     * @return the template
     */
    public static TemplateSnapshot of(Chainstate chain) {
        List<MempoolEntry> chosen = new ArrayList<>();
        long fees = 0;
        long weight = RESERVED_WEIGHT;
        for (MempoolEntry entry : chain.mempool().entries()) {
            if (weight + entry.transaction().size() > Network.MAX_BLOCK_WEIGHT) {
                // What comes later may spend what does not fit, so the first one ends the template.
                break;
            }
            weight += entry.transaction().size();
            fees += entry.feeSats();
            chosen.add(entry);
        }
        return on(chain, chain.tree().tip(), chosen, fees);
    }

    /**
     * Returns a copy with another time.
     *
     * @param time suggested block time
     * @return the copy
     */
    public TemplateSnapshot at(long time) {
        return new TemplateSnapshot(
                parent, height, version, bits, time, mintime, coinbaseValueSats, entries, mempoolChanges, mempoolBumps);
    }

    /**
     * Returns a copy with other transactions.
     *
     * @param chosen the transactions in block order
     * @param coinbaseValue subsidy and fees
     * @return the copy
     */
    public TemplateSnapshot with(List<MempoolEntry> chosen, long coinbaseValue) {
        return new TemplateSnapshot(
                parent, height, version, bits, curtime, mintime, coinbaseValue, chosen, mempoolChanges, mempoolBumps);
    }

    private static TemplateSnapshot on(Chainstate chain, IndexedBlock parent, List<MempoolEntry> chosen, long fees) {
        int height = parent.height() + 1;
        long mintime = parent.medianTimePast() + 1;
        return new TemplateSnapshot(
                parent.hash(),
                height,
                VersionLayout.BASE,
                chain.rules().nextBits(parent),
                Math.max(mintime, chain.clock().nowSeconds()),
                mintime,
                chain.rules().network().subsidySats(height) + fees,
                chosen,
                chain.mempool().changes(),
                chain.mempool().bumps());
    }

    /**
     * Returns the ids with witness of the chosen transactions.
     *
     * @return in block order, without the coinbase
     */
    public List<Hash256> wtxids() {
        return entries.stream().map(entry -> entry.transaction().wtxid()).toList();
    }
}

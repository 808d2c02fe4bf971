package org.prismpool.templates;

import java.util.List;
import org.prismpool.templates.job.BlockTerms;
import org.prismpool.templates.job.TransactionSet;

/**
 * A template, checked and parsed: what the node demands of the next block, and the transactions it proposes.
 *
 * @param terms demands on header and coinbase
 * @param transactions proposed transactions
 * @param feesSats fee of each transaction in the same order; -1 where the node names none
 * @param weightLimit largest weight of the block
 */
public record BlockTemplate(BlockTerms terms, TransactionSet transactions, List<Long> feesSats, int weightLimit) {

    private static final int HEADER_AND_COUNT = 80 + 3;
    private static final int LARGEST_COUNT_PREFIX = 5;

    /** Copies the list. */
    public BlockTemplate {
        feesSats = List.copyOf(feesSats);
        if (feesSats.size() != transactions.count()) {
            throw new IllegalArgumentException("one fee per transaction");
        }
    }

    /**
     * Returns this template with room for a coinbase: trailing transactions are left out until the block fits, and the
     * coinbase value shrinks by their fees.
     *
     * @param coinbaseSize size of the coinbase with witness
     * @return a template that fits; this one if it already does
     * @throws TemplateRefusedException if a transaction to leave out has no fee, or the coinbase alone does not fit
     */
    public BlockTemplate fitting(int coinbaseSize) {
        long room = (long) weightLimit - HEADER_AND_COUNT - LARGEST_COUNT_PREFIX - coinbaseSize;
        int kept = transactions.count();
        long value = terms.coinbaseValueSats();
        while (kept > 0 && transactions.sizeOfFirst(kept) > room) {
            kept--;
            long fee = feesSats.get(kept);
            if (fee < 0) {
                throw new TemplateRefusedException("transactions exceed weightlimit and have no fee to subtract");
            }
            value -= fee;
        }
        if (room < 0 || value <= 0) {
            throw new TemplateRefusedException("coinbase exceeds weightlimit");
        }
        if (kept == transactions.count()) {
            return this;
        }
        BlockTerms smaller =
                new BlockTerms(terms.parent(), terms.height(), value, terms.version(), terms.bits(), terms.time());
        return new BlockTemplate(smaller, transactions.first(kept), feesSats.subList(0, kept), weightLimit);
    }
}

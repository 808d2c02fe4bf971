package org.prismpool.sharewriter.balance;

import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PayoutAccount;

/**
 * One row of the accounting journal.
 *
 * @param sequence journal sequence
 * @param blockHash block of the row
 * @param blockHeight height of the block
 * @param account amounts and identity
 * @param maturity maturity of the row
 */
public record CarryRow(
        long sequence, String blockHash, long blockHeight, PayoutAccount account, MaturityState maturity) {}

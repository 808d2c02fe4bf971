package org.prismpool.app.devnode.mempool;

import org.prismpool.templates.chain.Transaction;

/**
 * A transaction that waits for a block.
 *
 * @param transaction the transaction
 * @param feeSats fee in base units
 * @param arrivedSeconds node time of arrival, seconds since 1970
 */
public record MempoolEntry(Transaction transaction, long feeSats, long arrivedSeconds) {}

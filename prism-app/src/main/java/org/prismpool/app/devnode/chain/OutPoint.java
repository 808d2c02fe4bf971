package org.prismpool.app.devnode.chain;

import org.prismpool.templates.chain.Hash256;

/**
 * Names one output of one transaction.
 *
 * @param txid transaction id
 * @param index position of the output, 0 to 2^32 - 1
 */
public record OutPoint(Hash256 txid, long index) {}

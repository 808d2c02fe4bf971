package org.prismpool.app.devnode.chain;

import org.prismpool.templates.chain.TransactionOutput;

/**
 * An unspent output.
 *
 * @param output value and script
 * @param height height of the block that created it
 * @param coinbase whether a coinbase created it
 */
public record Coin(TransactionOutput output, int height, boolean coinbase) {}

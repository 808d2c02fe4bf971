package org.prismpool.app.publicapi;

/**
 * Everything that the public API shows besides the configuration.
 *
 * @param pool the whole pool
 * @param blocks blocks and their settlement
 * @param miners one miner
 */
public record PublicModels(PoolModels pool, BlockModels blocks, MinerModels miners) {}

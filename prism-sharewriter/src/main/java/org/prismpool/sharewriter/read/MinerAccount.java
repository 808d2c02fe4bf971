package org.prismpool.sharewriter.read;

import java.math.BigInteger;

/**
 * What a miner is owed and has earned, in base units.
 *
 * @param owedSats carried balance, 0 or more (ledger contract §5.1)
 * @param lifetimeGrossSats gross amounts of all rows and blocks that were not reversed
 * @param pendingMaturitySats on-chain amounts less their settlement fees, of immature rows of confirmed, immature blocks
 */
public record MinerAccount(BigInteger owedSats, BigInteger lifetimeGrossSats, BigInteger pendingMaturitySats) {}

package org.prismpool.app.demo.miner;

/**
 * A header that met the share target.
 *
 * @param job the job it was found for
 * @param extranonce2Hex the extranonce2 of its coinbase
 * @param nonce the header nonce
 * @param versionBits rolled bits, inside the granted mask
 * @param meetsNetworkTarget whether it also met {@code nbits}
 */
record FoundShare(NotifiedJob job, String extranonce2Hex, int nonce, int versionBits, boolean meetsNetworkTarget) {}

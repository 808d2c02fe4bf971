package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A landed block as public pages show it.
 *
 * @param height height
 * @param blockHash display hash, lower case
 * @param foundAt creation of the row
 * @param networkDifficulty scaled difficulty of the audit bundle's found block, empty if unknown
 * @param bits compact target of the same, 8 hex digits, empty if unknown
 * @param coinbaseValueSats coinbase value of the same, in base units, empty if unknown
 * @param solver the newest accepted share whose id ends with the block's hash, empty if there is none
 * @param auditBundleSha256 digest of the audit bundle, empty without a bundle row
 * @param payoutManifestSha256 digest of the payout manifest
 */
public record FoundBlock(
        long height,
        String blockHash,
        Instant foundAt,
        Optional<BigInteger> networkDifficulty,
        Optional<String> bits,
        OptionalLong coinbaseValueSats,
        Optional<Solver> solver,
        Optional<String> auditBundleSha256,
        String payoutManifestSha256) {

    /**
     * The share that solved a block.
     *
     * @param recipientId miner that it is credited to
     * @param username stratum username, which is the share id without {@code :<block hash>}
     * @param shareDifficulty its credited ledger weight
     * @param networkDifficulty scaled network difficulty of its template
     */
    public record Solver(
            String recipientId, String username, BigInteger shareDifficulty, BigInteger networkDifficulty) {

        /**
         * Returns the worker's name: what follows the first dot of the username.
         *
         * @return name, empty without a dot or with nothing behind it
         */
        public Optional<String> workerName() {
            int dot = username.indexOf('.');
            return dot < 0 || dot == username.length() - 1
                    ? Optional.empty()
                    : Optional.of(username.substring(dot + 1));
        }
    }
}

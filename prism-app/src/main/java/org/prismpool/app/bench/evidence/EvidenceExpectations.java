package org.prismpool.app.bench.evidence;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;

/**
 * What the deployment at hand is; evidence of another one proves nothing about it.
 *
 * @param configuration value of every bound variable
 * @param coordinatorRevision revision of the program, 40 hex characters
 * @param coordinatorImageDigest digest of its image, {@code sha256:} and 64 hex characters
 * @param postgresServerVersion version of the database server
 * @param databaseProfileSha256 digest of the database's settings, 64 hex characters
 * @param forecastPeakSharesPerSecond load that is planned for, more than 0
 * @param ackP99LimitMilliseconds longest acknowledgement of 99 in 100 shares, more than 0
 * @param maxAge oldest evidence that counts
 * @param examples whether a document that calls itself an example counts
 */
record EvidenceExpectations(
        Map<String, String> configuration,
        String coordinatorRevision,
        String coordinatorImageDigest,
        String postgresServerVersion,
        String databaseProfileSha256,
        BigDecimal forecastPeakSharesPerSecond,
        BigDecimal ackP99LimitMilliseconds,
        Duration maxAge,
        boolean examples) {

    EvidenceExpectations {
        configuration = Map.copyOf(configuration);
    }
}

package org.prismpool.payout.audit;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings of the audit store (payout specification 17).
 *
 * @param directory folder of bodies, segments and envelopes; made if absent
 * @param evidencePath evidence file of the current block; may lie in another folder
 * @param shareSegmentSize shares of a slot; 0 stores whole bundles instead of compact bodies
 * @param liveBundleRetention live envelopes to keep, the current one counted; 0 keeps only that one
 * @param candidateRetention age at which an abandoned candidate file is removed; zero means at once
 */
public record AuditStoreConfig(
        Path directory, Path evidencePath, int shareSegmentSize, int liveBundleRetention, Duration candidateRetention) {

    /** Default of {@code shareSegmentSize}. */
    public static final int DEFAULT_SHARE_SEGMENT_SIZE = 10_000;

    /** Default of {@code liveBundleRetention}. */
    public static final int DEFAULT_LIVE_BUNDLE_RETENTION = 5;

    /** Default of {@code candidateRetention}. */
    public static final Duration DEFAULT_CANDIDATE_RETENTION = Duration.ofDays(1);

    /** Checks the ranges. */
    public AuditStoreConfig {
        if (shareSegmentSize < 0 || liveBundleRetention < 0 || candidateRetention.isNegative()) {
            throw new IllegalArgumentException("audit store settings must be 0 or more");
        }
    }

    /**
     * Returns the default settings for a folder, with the evidence file in it.
     *
     * @param directory the folder
     * @return the settings
     */
    public static AuditStoreConfig in(Path directory) {
        return new AuditStoreConfig(
                directory,
                directory.resolve("prism-live-evidence.json"),
                DEFAULT_SHARE_SEGMENT_SIZE,
                DEFAULT_LIVE_BUNDLE_RETENTION,
                DEFAULT_CANDIDATE_RETENTION);
    }
}

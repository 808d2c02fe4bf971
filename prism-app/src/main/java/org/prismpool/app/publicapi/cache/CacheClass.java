package org.prismpool.app.publicapi.cache;

/** How long the answer of a path may be kept. */
public enum CacheClass {
    /** Plain row reads. */
    ORDINARY,
    /** Pool summary, hash-rate series and the workers of a miner. */
    AGGREGATE,
    /** The mining configuration. */
    CONFIGURATION,
    /** Artifacts, which never change. */
    ARTIFACT
}

package org.prismpool.lifecycle.metrics;

/** In which part of the document a family is rendered; the order of the constants is the order of the parts. */
public enum FamilyOrigin {
    /** In the cached document, rendered by the background collector. */
    COLLECTOR,
    /** After those. */
    RECOVERY,
    /** After those: families that the contract does not have. */
    ADDED,
    /** Appended on every scrape. */
    SCRAPE
}

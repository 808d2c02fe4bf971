package org.prismpool.sharewriter;

/**
 * A share as the ledger holds it.
 *
 * @param shareSeq its place in the total order of accepted work, 1 or more
 * @param share the durable fields; the first durable acceptance time stays authoritative
 */
public record StoredShare(long shareSeq, PendingShare share) {}

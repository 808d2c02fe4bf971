package org.prismpool.sharewriter.postgres;

import java.util.List;

/**
 * State of a database's schema.
 *
 * @param pending migrations not yet applied
 * @param missing objects of the contract that the database lacks, or holds with another definition
 */
public record SchemaStatus(List<String> pending, List<String> missing) {

    /** Copies the lists. */
    public SchemaStatus {
        pending = List.copyOf(pending);
        missing = List.copyOf(missing);
    }

    /**
     * Tells whether a ledger can work on the database.
     *
     * @return true if nothing of the contract is missing
     */
    public boolean complete() {
        return missing.isEmpty();
    }
}

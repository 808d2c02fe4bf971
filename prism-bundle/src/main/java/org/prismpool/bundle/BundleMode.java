package org.prismpool.bundle;

/** What a bundle pays (spec 07 §4.1). */
public enum BundleMode {
    /** The full reward window; the bundle serves every connection. */
    READY("ready"),
    /** The pool has too few miners: one synthetic share, the solver is paid everything. Bound to one payout address. */
    COLLECTION("collection");

    private final String label;

    BundleMode(String label) {
        this.label = label;
    }

    /**
     * Returns the name used in keys and logs.
     *
     * @return lower-case name
     */
    public String label() {
        return label;
    }
}

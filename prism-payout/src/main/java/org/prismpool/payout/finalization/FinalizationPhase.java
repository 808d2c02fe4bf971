package org.prismpool.payout.finalization;

/** Phases of the accounting of one block, in order, by their label in the metric family (spec 03 §6.8). */
public enum FinalizationPhase {
    /** Where the block stands on the chain, and whether it is to be accounted at all. */
    ADMISSION("admission"),
    /** Preview, rebuilt and verified bundle, rows, confirmation. */
    LAND_CONFIRM("land_confirm"),
    /** Fanout manifests, and the share of a block that was its share's only credit. */
    CTV_CREDIT("ctv_credit"),
    /** The evidence document. */
    EVIDENCE("evidence"),
    /** Audit files in the order of the durable ordinal. */
    AUDIT_PUBLISH("audit_publish"),
    /** Counting within this process. */
    ACCOUNTING("accounting");

    private final String label;

    FinalizationPhase(String label) {
        this.label = label;
    }

    /**
     * Returns the label value.
     *
     * @return lower-case name
     */
    public String label() {
        return label;
    }
}

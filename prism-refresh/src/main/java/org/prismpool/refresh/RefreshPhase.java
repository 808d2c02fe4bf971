package org.prismpool.refresh;

import java.util.Locale;

/** What the refresh owner is doing; the exposed names of spec 07 §3.2 are the lower-case constants. */
public enum RefreshPhase {
    /** Waiting for a trigger. */
    IDLE,
    /** Admission to the single flight or to the publication lane. */
    REFRESH_LOCK,
    /** Probe of the node's best hash. */
    TIP_RPC,
    /** Coherent template fetch; the reorg reconcile pass may overlap. */
    TEMPLATE_RPC,
    /** Readiness, change decision and target snapshot. */
    CLIENT_SELECTION,
    /** Join or run of the reconcile pass. */
    REORG_RECONCILIATION,
    /** Payout preview wait, ledger window and compile. */
    BUNDLE_CONSTRUCTION,
    /** Final validation and atomic publication. */
    PUBLICATION,
    /** Sends. */
    JOB_FANOUT;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /**
     * Returns the exposed name.
     *
     * @return lower-case text for health bodies and metric labels
     */
    public String wireName() {
        return wireName;
    }
}

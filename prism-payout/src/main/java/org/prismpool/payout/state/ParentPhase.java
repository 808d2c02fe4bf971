package org.prismpool.payout.state;

/** How far one accepted block of ours has come on its way into the ledger (spec 07 §6.3). */
public enum ParentPhase {
    /** Offered to the node, or restored by the start-up replay; whether the chain took it is open. */
    PENDING,
    /** Being accounted: reconciliation and other payout changes wait. */
    LANDED,
    /** Being accounted, and its prospective balances are known to child builds. */
    PREVIEWED,
    /** Lost after its preview was published; its descendants are refused. */
    WITHDRAWN
}

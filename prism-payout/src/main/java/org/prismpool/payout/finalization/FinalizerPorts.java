package org.prismpool.payout.finalization;

import java.util.Objects;
import org.prismpool.payout.state.BalanceReader;
import org.prismpool.payout.window.WindowSource;
import org.prismpool.templates.block.CandidateOutbox;

/**
 * What {@link BlockFinalizer} needs of others.
 *
 * @param ledger rows of pool blocks
 * @param rows rows that follow a confirmed block
 * @param outbox durable candidates
 * @param rebuilder rebuild and verification of audit bundles
 * @param audit audit bodies and publication
 * @param guards what must hold around a landing
 * @param balances confirmed balances, for candidates that the node has not seen
 * @param shares accepted shares, for candidates that the node has not seen
 * @param events followers
 * @param metrics counters
 */
public record FinalizerPorts(
        BlockLedger ledger,
        SettlementRows rows,
        CandidateOutbox outbox,
        BundleRebuilder rebuilder,
        AuditTrail audit,
        LandingGuards guards,
        BalanceReader balances,
        WindowSource shares,
        FinalizerEvents events,
        FinalizerMetrics metrics) {

    /** Checks the components. */
    public FinalizerPorts {
        Objects.requireNonNull(ledger, "ledger");
        Objects.requireNonNull(rows, "rows");
        Objects.requireNonNull(outbox, "outbox");
        Objects.requireNonNull(rebuilder, "rebuilder");
        Objects.requireNonNull(audit, "audit");
        Objects.requireNonNull(guards, "guards");
        Objects.requireNonNull(balances, "balances");
        Objects.requireNonNull(shares, "shares");
        Objects.requireNonNull(events, "events");
        Objects.requireNonNull(metrics, "metrics");
    }
}

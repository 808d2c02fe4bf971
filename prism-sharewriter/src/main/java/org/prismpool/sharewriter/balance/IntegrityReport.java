package org.prismpool.sharewriter.balance;

import java.util.List;

/**
 * Proof of the carried balances (ledger contract §5.4).
 *
 * @param checkedActiveRows active journal rows looked at
 * @param mismatches rows whose recorded chain is stale, by height and sequence
 * @param drift programs whose maintained balance is wrong; must be empty
 * @param auditRowCount rows hashed into the chain
 * @param auditHeadSha256 head of the hash chain over the active rows, 64 hex digits; zeros when empty
 */
public record IntegrityReport(
        long checkedActiveRows,
        List<CarryMismatch> mismatches,
        List<CarryDrift> drift,
        long auditRowCount,
        String auditHeadSha256) {

    /** Name of the report's document. */
    public static final String SCHEMA = "qbit.prism.carry-forward-integrity.v1";

    /** Name of the rule by which the chain is hashed. */
    public static final String CHAIN_VERSION = "qbit.prism.carry-forward-active-delta-chain.v1";

    /** Copies the lists. */
    public IntegrityReport {
        mismatches = List.copyOf(mismatches);
        drift = List.copyOf(drift);
    }
}

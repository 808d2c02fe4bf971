package org.prismpool.app.endpoint;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.http.BadRequestException;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.balance.BalanceRow;
import org.prismpool.sharewriter.balance.IntegrityReport;

/** What is owed, to whom it was paid, and the proof of the carried balances. Thread-safe; blocks on the ledger. */
public final class BalanceEndpoint implements HttpEndpoint {

    private static final int RECENT_PAYOUTS = 50;

    private final LedgerReads reads;

    /**
     * Creates the endpoint.
     *
     * @param reads the ledger
     */
    public BalanceEndpoint(LedgerReads reads) {
        this.reads = reads;
    }

    @Override
    public Optional<HttpAnswer> answer(HttpQuery query) {
        if (Paths.matches(query, "owed") || Paths.matches(query, "owed-balances")) {
            return Optional.of(owed());
        }
        if (Paths.matches(query, "audit", "carry-forward-integrity")
                || Paths.matches(query, "audit", "ledger-integrity")) {
            return Optional.of(integrity());
        }
        if (Paths.matches(query, "miners", "*", "status") || Paths.matches(query, "payouts", "*", "status")) {
            return Optional.of(recipient(query.segments().get(1)));
        }
        return Optional.empty();
    }

    private HttpAnswer owed() {
        List<BalanceRow> owed = reads.ledger().balances().owed(reads.deadline("owed-balances"));
        Map<String, Object> document = reads.document("qbit.prism.owed-balances.v1");
        document.put("balances", owed.stream().map(Shapes::owed).toList());
        return HttpAnswer.document(200, document);
    }

    private HttpAnswer recipient(String recipient) {
        if (recipient.isBlank()) {
            throw new BadRequestException("recipient_id is required");
        }
        Deadline deadline = reads.deadline("miner-status");
        List<BalanceRow> owed = reads.ledger().balances().owed(deadline).stream()
                .filter(row -> row.minerId().equals(recipient))
                .toList();
        Map<String, Object> document = reads.document("qbit.prism.miner-status.v1");
        document.put("recipient_id", recipient);
        document.put(
                "owed_balance_sats",
                owed.stream().map(BalanceRow::balanceSats).reduce(BigInteger.ZERO, BigInteger::add));
        document.put("owed_balances", owed.stream().map(Shapes::owed).toList());
        document.put(
                "recent_payouts",
                reads.ledger().audits().paidTo(recipient, RECENT_PAYOUTS, deadline).stream()
                        .map(Shapes::recentPayout)
                        .toList());
        return HttpAnswer.document(200, document);
    }

    private HttpAnswer integrity() {
        IntegrityReport report = reads.ledger().integrity().report(reads.deadline("carry-forward-integrity"));
        Map<String, Object> document = reads.document(IntegrityReport.SCHEMA);
        document.put("backend", reads.ledger().backend());
        document.put("checked_active_rows", report.checkedActiveRows());
        document.put("mismatch_count", report.mismatches().size());
        document.put(
                "mismatches", report.mismatches().stream().map(Shapes::mismatch).toList());
        document.put("current_drift_count", report.drift().size());
        document.put("current_drift", report.drift().stream().map(Shapes::drift).toList());
        document.put("audit_chain_version", IntegrityReport.CHAIN_VERSION);
        document.put("audit_row_count", report.auditRowCount());
        document.put("audit_head_sha256", report.auditHeadSha256());
        return HttpAnswer.document(200, document);
    }
}

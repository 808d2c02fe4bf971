package org.prismpool.app.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.app.composition.backend.RestoreDrill;

/** The answer of a restore drill, as text and as JSON. */
final class DrillAnswer {

    private static final int FOUND = 2;

    private DrillAnswer() {}

    static MigrateCommand.Outcome of(RestoreDrill.Report report, long expectedShareSeq) {
        List<String> findings = new ArrayList<>(report.findings());
        long highest = report.ledger().highestShareSeq();
        if (highest < expectedShareSeq) {
            findings.add("the last share has sequence " + highest + ", before " + expectedShareSeq);
        }
        ObjectNode document = new ObjectMapper().createObjectNode();
        document.put("shares", report.ledger().shares());
        document.put("highest_share_seq", highest);
        document.put("blocks", report.ledger().bundledBlocks().size());
        document.put("bodies_read", report.bodies());
        document.put("bodies_left_out", report.unread());
        document.put("leased", report.ledger().leased());
        findings.forEach(document.putArray("findings")::add);

        List<String> lines = new ArrayList<>();
        lines.add("shares " + report.ledger().shares() + ", the last has sequence " + highest);
        lines.add("blocks with a bundle row " + report.ledger().bundledBlocks().size() + ", bodies read "
                + report.bodies());
        if (report.unread() > 0) {
            lines.add("left out for want of --audit-dir: " + report.unread() + " bodies");
        }
        if (report.ledger().leased()) {
            lines.add(
                    "the lease names a session that may be dead: start with a raised epoch, or wait until it expires");
        }
        findings.forEach(finding -> lines.add("FINDING " + finding));
        lines.add(findings.isEmpty() ? "drill passed" : "drill failed");
        return new MigrateCommand.Outcome(lines, document, findings.isEmpty() ? 0 : FOUND);
    }
}

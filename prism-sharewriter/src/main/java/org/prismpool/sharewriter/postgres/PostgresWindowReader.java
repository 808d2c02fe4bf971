package org.prismpool.sharewriter.postgres;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.window.CountedShare;
import org.prismpool.sharewriter.window.ShareCursor;
import org.prismpool.sharewriter.window.WindowReader;

/** Window reads over binary streams. Their queries hold numbers only: a bulk read takes no parameters. */
final class PostgresWindowReader implements WindowReader {

    private static final String SHARES = "SELECT " + ShareDecoder.COLUMNS + " FROM qbit_share_ledger WHERE accepted";

    /**
     * Two disjoint sets, each on its own index: accepted in between, or accepted before but issued in between. A text to fill
     * in, since putting many pieces together makes a process that does it for the first time generate code.
     */
    private static final String FRESH = "SELECT " + ShareDecoder.COLUMNS + " FROM ("
            + "SELECT * FROM qbit_share_ledger WHERE accepted AND accepted_at > :after"
            + " AND accepted_at <= :anchor AND job_issued_at <= :anchor"
            + " UNION ALL SELECT * FROM qbit_share_ledger WHERE accepted AND job_issued_at > :after"
            + " AND job_issued_at <= :anchor AND accepted_at <= :after) AS fresh ORDER BY share_seq";

    private final SessionPool reads;

    PostgresWindowReader(SessionPool reads) {
        this.reads = reads;
    }

    @Override
    public ShareCursor open(long anchorMs, BigInteger weight, Deadline deadline) {
        return ShareCopyOut.open(reads, deadline, new SharePages.Window(eligible(anchorMs), weight));
    }

    /** Query of everything that a window at the anchor may hold, in no order. */
    static String eligible(long anchorMs) {
        String anchor = time(anchorMs);
        return SHARES + " AND job_issued_at <= " + anchor + " AND accepted_at <= " + anchor;
    }

    @Override
    public ShareCursor openDelta(long afterMs, long anchorMs, Deadline deadline) {
        if (anchorMs < afterMs) {
            throw new IllegalArgumentException("the newer anchor " + anchorMs + " is before " + afterMs);
        }
        return single(FRESH.replace(":after", time(afterMs)).replace(":anchor", time(anchorMs)), deadline);
    }

    @Override
    public ShareCursor openSinceTemplateHeight(long templateHeight, Deadline deadline) {
        return single(SHARES + " AND template_height >= " + templateHeight + " ORDER BY share_seq", deadline);
    }

    @Override
    public ShareCursor openRange(long firstShareSeq, long lastShareSeq, Deadline deadline) {
        return ShareCopyOut.open(
                reads,
                deadline,
                SharePages.range(SHARES + " AND share_seq BETWEEN " + firstShareSeq + " AND " + lastShareSeq
                        + " ORDER BY share_seq"));
    }

    @Override
    public List<CountedShare> auditWindow(long anchorMs, BigInteger networkDifficulty, Deadline deadline) {
        BigInteger weight = networkDifficulty.multiply(AUDIT_MULTIPLIER);
        List<CountedShare> counted = new ArrayList<>();
        BigInteger[] covered = {BigInteger.ZERO};
        try (ShareCursor cursor = open(anchorMs, weight, deadline)) {
            Consumer<StoredShare> count = row -> {
                BigInteger work = row.share().shareDifficulty();
                counted.add(new CountedShare(row, work.min(weight.subtract(covered[0]))));
                covered[0] = covered[0].add(work);
            };
            while (cursor.advance(count)) {
                deadline.check("audit window read");
            }
        }
        return counted;
    }

    private ShareCursor single(String query, Deadline deadline) {
        return ShareCopyOut.open(reads, deadline, SharePages.single(query));
    }

    /** The contract's conversion, exact to the millisecond. */
    private static String time(long unixMs) {
        return "to_timestamp((" + unixMs + ")::double precision / 1000.0)";
    }
}

package org.prismpool.app.endpoint;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.http.BadRequestException;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.window.ShareCursor;
import org.prismpool.sharewriter.window.WindowReader;

/** The shares that a block at an anchor is paid for, newest first. Thread-safe; blocks on the ledger. */
public final class WindowEndpoint implements HttpEndpoint {

    private static final int MOST_ROWS = 200_000;

    private final LedgerReads reads;
    private final int mostRows;

    /**
     * Creates the endpoint with the bound of the contract: 200 000 rows.
     *
     * @param reads the ledger
     */
    public WindowEndpoint(LedgerReads reads) {
        this(reads, MOST_ROWS);
    }

    WindowEndpoint(LedgerReads reads, int mostRows) {
        this.reads = reads;
        this.mostRows = mostRows;
    }

    @Override
    public Optional<HttpAnswer> answer(HttpQuery query) {
        if (!Paths.matches(query, "audit", "share-window")) {
            return Optional.empty();
        }
        Optional<BigInteger> anchor =
                Paths.whole(query, "anchor_job_issued_at_ms").or(() -> Paths.whole(query, "anchor"));
        Optional<BigInteger> difficulty = Paths.whole(query, "network_difficulty");
        if (anchor.isEmpty() || difficulty.isEmpty()) {
            throw new BadRequestException("anchor_job_issued_at_ms and network_difficulty are required");
        }
        if (anchor.get().signum() < 0 || anchor.get().bitLength() > 52) { // what the database's clock can hold
            throw new BadRequestException("anchor_job_issued_at_ms is out of range");
        }
        if (difficulty.get().signum() <= 0) {
            throw new BadRequestException("network_difficulty must be positive");
        }
        Map<String, Object> document = reads.document("qbit.prism.audit-share-window.v1");
        document.put("rows", rows(anchor.get().longValueExact(), difficulty.get()));
        return Optional.of(HttpAnswer.document(200, document));
    }

    private List<Map<String, @Nullable Object>> rows(long anchorMs, BigInteger difficulty) {
        BigInteger weight = difficulty.multiply(WindowReader.AUDIT_MULTIPLIER);
        Deadline deadline = reads.deadline("audit-share-window");
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        BigInteger left = weight;
        try (ShareCursor cursor = reads.ledger().windows().open(anchorMs, weight, deadline)) {
            List<StoredShare> next = new ArrayList<>(1);
            while (cursor.advance(next::add)) {
                deadline.check("audit-share-window");
                if (rows.size() == mostRows) {
                    throw new BadRequestException("share window is too large");
                }
                StoredShare share = next.remove(0);
                BigInteger counted = share.share().shareDifficulty().min(left);
                left = left.subtract(counted);
                rows.add(row(share, weight, counted));
            }
        }
        return rows;
    }

    private static Map<String, @Nullable Object> row(StoredShare stored, BigInteger weight, BigInteger counted) {
        PendingShare share = stored.share();
        Map<String, @Nullable Object> row = new TreeMap<>();
        row.put("window_multiplier", WindowReader.AUDIT_MULTIPLIER);
        row.put("requested_window_weight", weight);
        row.put("share_seq", stored.shareSeq());
        row.put("share_id", share.shareId());
        row.put("miner_id", share.minerId());
        row.put("order_key", share.orderKey());
        row.put("p2mr_program_hex", share.program().hex());
        row.put("share_difficulty", share.shareDifficulty());
        row.put("counted_difficulty", counted);
        row.put("job_issued_at_ms", share.jobIssuedAtMs());
        row.put("accepted_at_ms", share.acceptedAtMs());
        row.put("credit_policy", share.creditPolicy().text().orElse(null));
        return row;
    }
}

package org.prismpool.sharewriter.postgres;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.postgresql.PGStatement;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.window.CountedShare;
import org.prismpool.sharewriter.window.ShareCursor;
import org.prismpool.sharewriter.window.WindowReader;

/**
 * Streams windows by descending sequence and stops as soon as the work is covered: only the window is read.
 *
 * <p>Stopping early is right because every difficulty is above 0.
 */
final class PostgresWindowReader implements WindowReader {

    private static final String ELIGIBLE = "accepted AND job_issued_at <= ? AND accepted_at <= ?";
    private static final String WINDOW =
            "SELECT " + ShareRows.COLUMNS + " FROM qbit_share_ledger WHERE " + ELIGIBLE + " ORDER BY share_seq DESC";

    /** Two disjoint sets, each on its own index: accepted in between, or accepted before but issued in between. */
    private static final String DELTA = "SELECT " + ShareRows.COLUMNS + " FROM ("
            + "SELECT * FROM qbit_share_ledger WHERE accepted AND accepted_at > ? AND accepted_at <= ?"
            + " AND job_issued_at <= ? UNION ALL "
            + "SELECT * FROM qbit_share_ledger WHERE accepted AND job_issued_at > ? AND job_issued_at <= ?"
            + " AND accepted_at <= ?) AS fresh ORDER BY share_seq";

    private static final String SINCE = "SELECT " + ShareRows.COLUMNS
            + " FROM qbit_share_ledger WHERE accepted AND template_height >= ? ORDER BY share_seq";

    private final SessionPool reads;

    PostgresWindowReader(SessionPool reads) {
        this.reads = reads;
    }

    @Override
    public ShareCursor open(long anchorMs, BigInteger weight, Deadline deadline) {
        OffsetDateTime anchor = Rows.time(anchorMs);
        RowCursor rows = RowCursor.open(reads, deadline, WINDOW, anchor, anchor);
        return new WindowCursor(rows, weight);
    }

    @Override
    public ShareCursor openDelta(long afterMs, long anchorMs, Deadline deadline) {
        if (anchorMs < afterMs) {
            throw new IllegalArgumentException("the newer anchor " + anchorMs + " is before " + afterMs);
        }
        OffsetDateTime after = Rows.time(afterMs);
        OffsetDateTime anchor = Rows.time(anchorMs);
        return RowCursor.open(reads, deadline, DELTA, after, anchor, anchor, after, anchor, after);
    }

    @Override
    public ShareCursor openSinceTemplateHeight(long templateHeight, Deadline deadline) {
        return RowCursor.open(reads, deadline, SINCE, templateHeight);
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

    /** Ends a descending cursor once the weight is covered. */
    private static final class WindowCursor implements ShareCursor {
        private final ShareCursor rows;
        private BigInteger left;

        private WindowCursor(ShareCursor rows, BigInteger weight) {
            this.rows = rows;
            this.left = weight;
        }

        @Override
        public boolean advance(Consumer<? super StoredShare> row) {
            return left.signum() > 0
                    && rows.advance(share -> {
                        left = left.subtract(share.share().shareDifficulty());
                        row.accept(share);
                    });
        }

        @Override
        public void close() {
            rows.close();
        }
    }

    /** A server-side cursor over one snapshot. */
    private static final class RowCursor implements ShareCursor {
        private static final int FETCH = 4096;

        private final SessionPool pool;
        private final Connection connection;
        private final ResultSet rows;
        private boolean closed;

        private RowCursor(SessionPool pool, Connection connection, ResultSet rows) {
            this.pool = pool;
            this.connection = connection;
            this.rows = rows;
        }

        private static RowCursor open(SessionPool pool, Deadline deadline, String sql, Object... parameters) {
            pool.acquire(deadline);
            Connection connection = null;
            try {
                connection = pool.connection();
                connection.setAutoCommit(false);
                Transactions.budget(connection, deadline);
                PreparedStatement statement = connection.prepareStatement(sql);
                statement.setFetchSize(FETCH);
                // Binary from the first row on: as text, bytes and numbers cost more than the read itself.
                statement.unwrap(PGStatement.class).setPrepareThreshold(-1);
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(i + 1, parameters[i]);
                }
                return new RowCursor(pool, connection, statement.executeQuery());
            } catch (SQLException | RuntimeException failure) {
                try {
                    Transactions.giveBack(pool, connection);
                } finally {
                    pool.release();
                }
                throw Transactions.translate(failure);
            }
        }

        @Override
        public boolean advance(Consumer<? super StoredShare> row) {
            StoredShare share;
            try {
                if (!rows.next()) {
                    return false;
                }
                share = ShareRows.read(rows);
            } catch (SQLException failure) {
                throw SqlFailures.of(failure);
            }
            row.accept(share);
            return true;
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            try {
                Transactions.giveBack(pool, connection); // closes the statement as well
            } finally {
                pool.release();
            }
        }
    }
}

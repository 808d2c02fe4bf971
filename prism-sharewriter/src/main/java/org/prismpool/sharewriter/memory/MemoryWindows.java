package org.prismpool.sharewriter.memory;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.window.CountedShare;
import org.prismpool.sharewriter.window.ShareCursor;
import org.prismpool.sharewriter.window.WindowReader;

/** Windows over the shares in memory. */
final class MemoryWindows implements WindowReader {

    private final MemoryState state;

    MemoryWindows(MemoryState state) {
        this.state = state;
    }

    @Override
    public ShareCursor open(long anchorMs, BigInteger weight, Deadline deadline) {
        List<StoredShare> rows = new ArrayList<>();
        for (CountedShare row : window(anchorMs, weight)) {
            rows.add(row.stored());
        }
        return new ListCursor(rows);
    }

    @Override
    public ShareCursor openDelta(long afterMs, long anchorMs, Deadline deadline) {
        if (anchorMs < afterMs) {
            throw new IllegalArgumentException("the newer anchor " + anchorMs + " is before " + afterMs);
        }
        return new ListCursor(
                matching(row -> row.share().predates(anchorMs) && !row.share().predates(afterMs)));
    }

    @Override
    public ShareCursor openSinceTemplateHeight(long templateHeight, Deadline deadline) {
        return new ListCursor(matching(row -> row.share().templateHeight() >= templateHeight));
    }

    @Override
    public ShareCursor openRange(long firstShareSeq, long lastShareSeq, Deadline deadline) {
        return new ListCursor(matching(row -> row.shareSeq() >= firstShareSeq && row.shareSeq() <= lastShareSeq));
    }

    @Override
    public List<CountedShare> auditWindow(long anchorMs, BigInteger networkDifficulty, Deadline deadline) {
        return window(anchorMs, networkDifficulty.multiply(AUDIT_MULTIPLIER));
    }

    List<CountedShare> window(long anchorMs, BigInteger weight) {
        List<CountedShare> rows = new ArrayList<>();
        synchronized (state) {
            BigInteger left = weight;
            for (int i = state.shares.size() - 1; i >= 0 && left.signum() > 0; i--) {
                StoredShare row = state.shares.get(i);
                if (row.share().predates(anchorMs)) {
                    BigInteger work = row.share().shareDifficulty();
                    rows.add(new CountedShare(row, work.min(left)));
                    left = left.subtract(work);
                }
            }
        }
        return rows;
    }

    private List<StoredShare> matching(Predicate<StoredShare> condition) {
        synchronized (state) {
            return state.shares.stream().filter(condition).toList();
        }
    }

    private static final class ListCursor implements ShareCursor {
        private final Iterator<StoredShare> rows;

        private ListCursor(List<StoredShare> rows) {
            this.rows = rows.iterator();
        }

        @Override
        public boolean advance(Consumer<? super StoredShare> row) {
            if (!rows.hasNext()) {
                return false;
            }
            row.accept(rows.next());
            return true;
        }

        @Override
        public void close() {}
    }
}

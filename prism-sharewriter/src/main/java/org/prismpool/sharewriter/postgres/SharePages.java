package org.prismpool.sharewriter.postgres;

import java.math.BigInteger;
import java.util.Optional;
import org.prismpool.sharewriter.StoredShare;

/** Decides which queries a read of shares consists of. Pure; confined to one reader. */
interface SharePages {

    /** Keeps the planner of a transaction on the indexes of the sequence, see {@link #alongTheSequence}. */
    String ALONG_THE_SEQUENCE =
            "SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off";

    /** Returns the next query, empty when nothing more is to be read; asked when the previous one has no more rows. */
    Optional<String> next();

    /** Takes note of a row and tells whether the read ends with it. */
    boolean last(StoredShare row);

    /**
     * Tells whether the rows must be taken from an index on the sequence. Without statistics of a table that grew lately,
     * a planner rather collects everything eligible and sorts it, once for every page.
     */
    boolean alongTheSequence();

    /** One query, all of it, as the planner likes it. */
    static SharePages single(String query) {
        return single(query, false);
    }

    /** One query, all of it, with rows along the sequence. */
    static SharePages range(String query) {
        return single(query, true);
    }

    private static SharePages single(String query, boolean alongTheSequence) {
        return new SharePages() {
            private boolean asked;

            @Override
            public Optional<String> next() {
                boolean again = asked;
                asked = true;
                return again ? Optional.empty() : Optional.of(query);
            }

            @Override
            public boolean last(StoredShare row) {
                return false;
            }

            @Override
            public boolean alongTheSequence() {
                return alongTheSequence;
            }
        };
    }

    /**
     * A window: pages by descending sequence until the weight is covered. A page is half of what the rows so far let
     * expect, so that hardly anything is read in vain, and never so small that asking costs more than reading.
     *
     * <p>Stopping early is right because every difficulty is above 0.
     */
    final class Window implements SharePages {

        static final int SMALLEST = 4096;
        private static final int LARGEST = 131_072;

        private final String select;
        private final BigInteger weight;
        private BigInteger covered = BigInteger.ZERO;
        private long rows;
        private long below = Long.MAX_VALUE;
        private long page = SMALLEST;
        private long rowsBefore = -SMALLEST;

        /**
         * Creates the pages.
         *
         * @param select query of all eligible rows, up to and including its condition
         * @param weight work to cover
         */
        Window(String select, BigInteger weight) {
            this.select = select;
            this.weight = weight;
        }

        @Override
        public Optional<String> next() {
            boolean exhausted = rows - rowsBefore < page; // the previous page was not full
            if (covered.compareTo(weight) >= 0 || exhausted) {
                return Optional.empty();
            }
            page = rows == 0 ? SMALLEST : expected();
            rowsBefore = rows;
            return Optional.of(select + " AND share_seq < " + below + " ORDER BY share_seq DESC LIMIT " + page);
        }

        private long expected() {
            BigInteger half = weight.subtract(covered)
                    .multiply(BigInteger.valueOf(rows))
                    .divide(covered)
                    .shiftRight(1);
            return half.max(BigInteger.valueOf(SMALLEST))
                    .min(BigInteger.valueOf(LARGEST))
                    .longValueExact();
        }

        @Override
        public boolean alongTheSequence() {
            return true;
        }

        @Override
        public boolean last(StoredShare row) {
            covered = covered.add(row.share().shareDifficulty());
            below = row.shareSeq();
            rows++;
            return covered.compareTo(weight) >= 0;
        }
    }
}

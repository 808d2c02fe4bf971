package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.contract.Samples;

class SharePagesTest {

    private int queries;

    /** Reads a history of {@code rows} shares newest first, as a server would; returns the rows sent. */
    private long read(SharePages.Window pages, long rows, long difficulty) {
        long sent = 0;
        long sequence = rows;
        PendingShare share = Samples.share("s", difficulty);
        for (Optional<String> query = pages.next(); query.isPresent(); query = pages.next()) {
            queries++;
            String text = query.get();
            assertThat(text).startsWith("SELECT x WHERE y AND share_seq < ").contains(" ORDER BY share_seq DESC");
            long limit = Long.parseLong(text.replaceAll(".* LIMIT ", ""));
            sent += Math.min(limit, sequence);
            for (long i = 0; i < limit && sequence > 0; i++, sequence--) {
                if (pages.last(new StoredShare(sequence, share))) {
                    return sent;
                }
            }
        }
        return sent;
    }

    private static SharePages.Window window(long weight) {
        return new SharePages.Window("SELECT x WHERE y", BigInteger.valueOf(weight));
    }

    @Test
    void aLargeWindowTakesFewQueriesAndHardlyARowInVain() {
        assertThat(read(window(4_000_000), 10_000_000, 10)).isLessThanOrEqualTo(400_000 + 4096);
        assertThat(queries).isLessThan(15);
    }

    @Test
    void aSmallWindowIsOneQuery() {
        assertThat(read(window(7), 10_000_000, 10)).isEqualTo(4096);
        assertThat(queries).isEqualTo(1);
    }

    @Test
    void aShortHistoryEndsTheRead() {
        assertThat(read(window(1_000_000), 4095, 1)).isEqualTo(4095);
        assertThat(queries).isEqualTo(1);
        assertThat(read(window(1_000_000), 4096, 1)).isEqualTo(4096);
        assertThat(queries).isEqualTo(3);
    }

    @Test
    void noWeightIsNoQuery() {
        assertThat(read(window(0), 10, 1)).isZero();
        assertThat(queries).isZero();
    }
}

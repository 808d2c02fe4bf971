package org.prismpool.stratum.share;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Sha256d;

class DuplicateIndexTest {

    @Test
    void aHeaderIsTakenOncePerWorker() {
        DuplicateIndex index = new DuplicateIndex(10);

        assertThat(index.reserve("a", hash(1))).isTrue();
        assertThat(index.reserve("a", hash(1))).isFalse();
        assertThat(index.reserve("b", hash(1))).isTrue();
    }

    @Test
    void aReleasedHeaderMayBeTriedAgain() {
        DuplicateIndex index = new DuplicateIndex(10);
        index.reserve("a", hash(1));
        index.release("a", hash(1));

        assertThat(index.reserve("a", hash(1))).isTrue();
    }

    @Test
    void theOldestHeaderLeavesFirst() {
        DuplicateIndex index = new DuplicateIndex(2);
        index.reserve("a", hash(1));
        index.reserve("a", hash(2));
        index.reserve("a", hash(3));

        assertThat(index.size()).isEqualTo(2);
        assertThat(index.reserve("a", hash(2))).isFalse();
        assertThat(index.reserve("a", hash(1))).isTrue();
    }

    private static Hash256 hash(int seed) {
        return Sha256d.hash(new byte[] {(byte) seed});
    }
}

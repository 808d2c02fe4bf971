package org.prismpool.bundle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BundleCacheTest {

    private static final long TTL = 10;

    private record Entry(String name, long builtNanos) {}

    @Test
    void ofOneHundredAndTwentyNineDistinctKeysTheNewestOneHundredAndTwentyEightAreKept() {
        BundleCache<Integer, Entry> cache = new BundleCache<>(TTL, 128, Entry::builtNanos);

        for (int i = 0; i < 129; i++) {
            cache.store(i, new Entry("b" + i, 0), 0);
        }

        assertThat(cache.size()).isEqualTo(128);
        assertThat(cache.find(0, 0)).isEmpty();
        assertThat(cache.find(128, 0)).isPresent();
    }

    @Test
    void storingAgainMakesAnEntryTheNewest() {
        BundleCache<Integer, Entry> cache = new BundleCache<>(TTL, 2, Entry::builtNanos);
        cache.store(1, new Entry("a", 0), 0);
        cache.store(2, new Entry("b", 0), 0);
        cache.store(1, new Entry("a", 0), 0);
        cache.store(3, new Entry("c", 0), 0);

        assertThat(cache.find(1, 0)).isPresent();
        assertThat(cache.find(2, 0)).isEmpty();
    }

    @Test
    void aTimeToLiveOfZeroKeepsNothing() {
        BundleCache<Integer, Entry> cache = new BundleCache<>(0, 128, Entry::builtNanos);
        cache.store(1, new Entry("a", 0), 0);

        assertThat(cache.find(1, 0)).isEmpty();
        assertThat(cache.size()).isZero();
    }

    @Test
    void aLookupOfAnotherKeyFreesEveryExpiredEntry() {
        BundleCache<Integer, Entry> cache = new BundleCache<>(TTL, 128, Entry::builtNanos);
        cache.store(1, new Entry("a", 0), 0);
        cache.store(2, new Entry("b", 5), 5);

        assertThat(cache.find(99, 10)).isEmpty();

        assertThat(cache.size()).as("only the entry built at 5 is left").isEqualTo(1);
    }
}

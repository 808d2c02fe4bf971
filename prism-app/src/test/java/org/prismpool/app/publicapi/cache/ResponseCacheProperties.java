package org.prismpool.app.publicapi.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.cache.CachedBody.Source;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;

/** The cache against a plain list of what was used when. */
class ResponseCacheProperties {

    private static final int LARGEST = 8;

    record Step(int key, int ttlSeconds, int size, int secondsBefore) {}

    /** What the cache should hold, in the order of the last use. */
    private static final class Expected {

        private final LinkedHashMap<Integer, long[]> kept = new LinkedHashMap<>(); // body size, end of life

        private boolean holds(int key, long now) {
            long[] entry = kept.get(key);
            if (entry != null && now >= entry[1]) {
                kept.remove(key);
                return false;
            }
            return entry != null;
        }

        private void use(int key) {
            long[] entry = kept.remove(key);
            if (entry != null) {
                kept.put(key, entry);
            }
        }

        private void keep(int key, int size, long end, long now, CacheLimits limits) {
            kept.put(key, new long[] {size, end});
            if (tooMuch(limits)) {
                kept.values().removeIf(entry -> now >= entry[1]);
            }
            List<Integer> oldestFirst = new ArrayList<>(kept.keySet());
            while (tooMuch(limits)) {
                kept.remove(oldestFirst.remove(0));
            }
        }

        private boolean tooMuch(CacheLimits limits) {
            return kept.size() > limits.entries()
                    || kept.values().stream().mapToLong(entry -> entry[0]).sum() > limits.totalBytes();
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.integers().between(0, 10),
                        Arbitraries.integers().between(0, 2))
                .as(Step::new)
                .list()
                .ofMaxSize(60);
    }

    @Property(tries = 300)
    void itHoldsWhatAListWouldHold(
            @ForAll("steps") List<Step> steps,
            @ForAll @IntRange(min = 1, max = 4) int entries,
            @ForAll @IntRange(min = 8, max = 30) int total)
            throws InterruptedException {
        ManualClock clock = new ManualClock();
        CacheLimits limits = new CacheLimits(entries, LARGEST, total);
        ResponseCache cache = new ResponseCache(limits, clock);
        Expected expected = new Expected();
        long now = 0;
        for (Step step : steps) {
            clock.advance(Duration.ofSeconds(step.secondsBefore()));
            now += step.secondsBefore();
            Source source = cache.get(
                            new CacheKey(List.of("k" + step.key()), Map.of()),
                            step.ttlSeconds(),
                            Deadline.unbounded(clock, "property"),
                            deadline -> new PublicBody(new byte[step.size()]))
                    .source();

            if (step.ttlSeconds() == 0) {
                assertThat(source).isEqualTo(Source.BYPASS);
            } else if (expected.holds(step.key(), now)) {
                assertThat(source).isEqualTo(Source.HIT);
                expected.use(step.key());
            } else if (step.size() > LARGEST) {
                assertThat(source).isEqualTo(Source.BYPASS);
            } else {
                assertThat(source).isEqualTo(Source.MISS);
                expected.keep(step.key(), step.size(), now + step.ttlSeconds(), now, limits);
            }
            assertThat(cache.size()).isEqualTo(expected.kept.size());
        }
    }
}

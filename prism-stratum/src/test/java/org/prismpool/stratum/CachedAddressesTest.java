package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

/** Spec 02 §4.2, the cache. */
class CachedAddressesTest {

    private final ManualClock clock = new ManualClock();
    private final List<String> asked = new ArrayList<>();
    private final Deque<CompletableFuture<AddressLookup>> open = new ArrayDeque<>();

    @Test
    void aPayableAddressIsAskedOnceUntilItIsTooOld() {
        CachedAddresses cache = cache(10, 100);
        answer(cache.lookUp("a"), payable("a"));
        clock.advance(Duration.ofSeconds(60));
        assertThat(cache.lookUp("a").toCompletableFuture()).isCompletedWithValue(payable("a"));
        clock.advance(Duration.ofSeconds(40));
        assertThat(cache.lookUp("a").toCompletableFuture()).isCompletedWithValue(payable("a"));
        clock.advance(Duration.ofSeconds(1));
        assertThat(cache.lookUp("a").toCompletableFuture())
                .as("hits do not extend a life")
                .isNotDone();

        assertThat(asked).containsExactly("a", "a");
    }

    @Test
    void refusalsAndFailuresAreAskedAgain() {
        CachedAddresses cache = cache(10, 100);
        answer(cache.lookUp("a"), new AddressLookup.NotAnAddress());
        answer(cache.lookUp("a"), new AddressLookup.Unavailable());
        cache.lookUp("a");
        open.remove().completeExceptionally(new IllegalStateException("down"));
        cache.lookUp("a");

        assertThat(asked).hasSize(4);
    }

    @Test
    void simultaneousLookupsShareOneQuestionAndItsFailure() {
        CachedAddresses cache = cache(10, 100);
        CompletableFuture<AddressLookup> first = cache.lookUp("a").toCompletableFuture();
        CompletableFuture<AddressLookup> second = cache.lookUp("a").toCompletableFuture();
        assertThat(asked).containsExactly("a");
        open.remove().completeExceptionally(new IllegalStateException("down"));

        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
    }

    @Test
    void theLeastRecentlyUsedAddressLeavesFirst() {
        CachedAddresses cache = cache(2, 100);
        answer(cache.lookUp("a"), payable("a"));
        answer(cache.lookUp("b"), payable("b"));
        cache.lookUp("a");
        answer(cache.lookUp("c"), payable("c"));
        cache.lookUp("a");
        cache.lookUp("b");

        assertThat(asked).containsExactly("a", "b", "c", "b");
    }

    @Test
    void zeroKeepsNothing() {
        for (CachedAddresses cache : List.of(cache(0, 100), cache(10, 0))) {
            asked.clear();
            answer(cache.lookUp("a"), payable("a"));
            answer(cache.lookUp("a"), payable("a"));
            assertThat(asked).hasSize(2);
        }
    }

    private CachedAddresses cache(int entries, long seconds) {
        return new CachedAddresses(this::ask, entries, Duration.ofSeconds(seconds), clock);
    }

    private CompletionStage<AddressLookup> ask(String address) {
        asked.add(address);
        CompletableFuture<AddressLookup> answer = new CompletableFuture<>();
        open.add(answer);
        return answer;
    }

    private void answer(CompletionStage<AddressLookup> lookup, AddressLookup result) {
        open.remove().complete(result);
        assertThat(lookup.toCompletableFuture()).isCompletedWithValue(result);
    }

    private static AddressLookup payable(String address) {
        return new AddressLookup.Payable(address, "aa".repeat(32));
    }
}

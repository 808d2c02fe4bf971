package org.prismpool.stratum;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Remembers payable addresses in front of a slow {@link PayoutAddresses} (spec 02 §4.2): least recently used leaves first,
 * the age counts from the lookup, and simultaneous lookups of one address share a single question and its failure.
 *
 * <p>Thread-safe: one private lock, never held while the source is asked.
 */
public final class CachedAddresses implements PayoutAddresses {

    private record Entry(AddressLookup.Payable payable, long sinceNanos) {}

    private final PayoutAddresses source;
    private final int maxEntries;
    private final long lifeNanos;
    private final MonotonicClock clock;
    private final LinkedHashMap<String, Entry> known = new LinkedHashMap<>(16, 0.75f, true); // guarded by this
    private final Map<String, CompletableFuture<AddressLookup>> asking = new HashMap<>(); // guarded by this

    /**
     * Creates an empty cache.
     *
     * @param source whom to ask
     * @param maxEntries addresses kept, 0 keeps none
     * @param timeToLive age up to which an answer is used, zero keeps none
     * @param clock clock of the ages
     */
    public CachedAddresses(PayoutAddresses source, int maxEntries, Duration timeToLive, MonotonicClock clock) {
        if (maxEntries < 0 || timeToLive.isNegative()) {
            throw new IllegalArgumentException("cache bounds must not be negative");
        }
        this.source = source;
        this.maxEntries = maxEntries;
        this.lifeNanos = timeToLive.toNanos();
        this.clock = clock;
    }

    @Override
    public CompletionStage<AddressLookup> lookUp(String address) {
        CompletableFuture<AddressLookup> answer = new CompletableFuture<>();
        synchronized (this) {
            AddressLookup.Payable hit = fresh(address);
            if (hit != null) {
                return CompletableFuture.completedFuture(hit);
            }
            CompletableFuture<AddressLookup> shared = asking.putIfAbsent(address, answer);
            if (shared != null) {
                return shared.copy();
            }
        }
        ask(address).whenComplete((result, fault) -> {
            remember(address, result);
            if (fault == null) {
                answer.complete(result);
            } else {
                answer.completeExceptionally(fault);
            }
        });
        return answer.copy();
    }

    private CompletionStage<AddressLookup> ask(String address) {
        try {
            return source.lookUp(address);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private AddressLookup.@Nullable Payable fresh(String address) {
        Entry entry = known.get(address);
        if (entry == null) {
            return null;
        }
        if (clock.nanoTime() - entry.sinceNanos() > lifeNanos) {
            known.remove(address);
            return null;
        }
        return entry.payable();
    }

    private synchronized void remember(String address, @Nullable AddressLookup result) {
        asking.remove(address);
        if (result instanceof AddressLookup.Payable payable && maxEntries > 0 && lifeNanos > 0) {
            known.put(address, new Entry(payable, clock.nanoTime()));
            if (known.size() > maxEntries) {
                Iterator<Entry> oldest = known.values().iterator();
                oldest.next();
                oldest.remove();
            }
        }
    }
}

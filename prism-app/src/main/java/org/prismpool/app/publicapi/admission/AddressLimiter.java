package org.prismpool.app.publicapi.admission;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * A token bucket for each client: a burst at once, then one request for each interval.
 *
 * <p>A client is an IPv4 address or the first 64 bits of an IPv6 address, which one subscriber owns whole. Of the clients the most
 * recent ones are remembered; one that is forgotten starts with a full bucket. Thread-safe; one lock, never held across anything.
 * Source: spec 08 §7.1.
 */
public final class AddressLimiter {

    /** Clients remembered unless said otherwise. */
    public static final int ADDRESSES = 16_384;

    private static final BigDecimal SECOND = BigDecimal.valueOf(1_000_000_000L);
    private static final long LONGEST = Long.MAX_VALUE / 4; // sums of two of them do not overflow
    private static final int SUBSCRIBER_BYTES = 8;

    private final long intervalNanos; // 0: no limit
    private final long burstNanos;
    private final MonotonicClock clock;
    private final long originNanos;
    private final Map<ByteBuffer, Long> fullAt; // guarded by itself: when the bucket is full again

    /**
     * Creates a limiter that has seen nobody.
     *
     * @param perSecond requests a second in the long run, 0 for no limit
     * @param burst requests at once, 1 or more
     * @param addresses most clients that are remembered
     * @param clock monotonic
     */
    public AddressLimiter(BigDecimal perSecond, int burst, int addresses, MonotonicClock clock) {
        if (perSecond.signum() < 0 || burst < 1 || addresses < 1) {
            throw new IllegalArgumentException("a limiter needs a rate, a burst and an address");
        }
        this.intervalNanos = perSecond.signum() == 0 ? 0 : interval(perSecond);
        this.burstNanos = intervalNanos > LONGEST / burst ? LONGEST : intervalNanos * burst;
        this.clock = clock;
        this.originNanos = clock.nanoTime();
        this.fullAt = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Long> eldest) {
                return size() > addresses;
            }
        };
    }

    private static long interval(BigDecimal perSecond) {
        BigDecimal nanos = SECOND.divide(perSecond, 0, RoundingMode.DOWN);
        return nanos.min(BigDecimal.valueOf(LONGEST)).max(BigDecimal.ONE).longValueExact();
    }

    /**
     * Takes a token.
     *
     * @param client who asks
     * @return empty if there was one, else how long until there is one
     */
    public Optional<Duration> refused(InetAddress client) {
        if (intervalNanos == 0) {
            return Optional.empty();
        }
        ByteBuffer key = key(client);
        synchronized (fullAt) {
            long now = clock.nanoTime() - originNanos;
            long full = Math.max(fullAt.getOrDefault(key, now), now) + intervalNanos;
            long wait = full - burstNanos - now;
            if (wait > 0) {
                return Optional.of(Duration.ofNanos(wait));
            }
            fullAt.put(key, full);
            return Optional.empty();
        }
    }

    int remembered() {
        synchronized (fullAt) {
            return fullAt.size();
        }
    }

    private static ByteBuffer key(InetAddress client) {
        byte[] address = client.getAddress();
        return ByteBuffer.wrap(client instanceof Inet6Address ? Arrays.copyOf(address, SUBSCRIBER_BYTES) : address);
    }
}

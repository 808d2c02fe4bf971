package org.prismpool.payout.state;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Anchors of windows that work may still be built or land on; guarded by the owner's lock. */
final class LiveAnchors {

    private record Exposed(long anchorMs, long atNanos) {}

    private final Map<Long, Exposed> exposed = new HashMap<>();
    private final long maxAgeNanos;
    private OptionalLong window = OptionalLong.empty();
    private OptionalLong armed = OptionalLong.empty();
    private long mark = Long.MIN_VALUE;
    private long nextId;

    LiveAnchors(long maxAgeNanos) {
        this.maxAgeNanos = maxAgeNanos;
    }

    long expose(long anchorMs, long nowNanos) {
        exposed.values().removeIf(e -> nowNanos - e.atNanos() > maxAgeNanos);
        exposed.put(nextId, new Exposed(anchorMs, nowNanos));
        return nextId++;
    }

    void retire(long id) {
        exposed.remove(id);
    }

    void window(OptionalLong anchorMs) {
        raise(window);
        window = anchorMs;
    }

    void arm(long anchorMs) {
        raise(armed);
        armed = OptionalLong.of(anchorMs);
    }

    void disarm() {
        raise(armed);
        armed = OptionalLong.empty();
    }

    void raise(long anchorMs) {
        mark = Math.max(mark, anchorMs);
    }

    private void raise(OptionalLong anchorMs) {
        anchorMs.ifPresent(this::raise);
    }

    OptionalLong armed() {
        return armed;
    }

    /** Returns the latest live anchor; a row predates some live anchor exactly when it predates this one. */
    long latest(long nowNanos) {
        long latest = Math.max(mark, Math.max(window.orElse(Long.MIN_VALUE), armed.orElse(Long.MIN_VALUE)));
        for (Exposed e : exposed.values()) {
            if (nowNanos - e.atNanos() <= maxAgeNanos) {
                latest = Math.max(latest, e.anchorMs());
            }
        }
        return latest;
    }
}

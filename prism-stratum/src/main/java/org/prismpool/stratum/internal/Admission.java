package org.prismpool.stratum.internal;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.stratum.ConnectionLimits;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.StratumMetrics.LimitScope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the ceilings of connections over all listeners (spec 02 §1.7). Thread-safe. */
final class Admission {

    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);
    private static final long LOG_EVERY = 100;

    private final ConnectionLimits limits;
    private final StratumMetrics metrics;
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();
    private final ConcurrentHashMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    Admission(ConnectionLimits limits, StratumMetrics metrics) {
        this.limits = limits;
        this.metrics = metrics;
    }

    /** Takes a place under the ceiling, before anything is allocated for the connection. */
    boolean enter() {
        int ceiling = limits.maxConnections();
        int now = active.incrementAndGet();
        if (ceiling > 0 && now > ceiling) {
            active.decrementAndGet();
            refuse(LimitScope.GLOBAL);
            return false;
        }
        peak.accumulateAndGet(now, Math::max);
        return true;
    }

    void leave() {
        active.decrementAndGet();
    }

    /** Counts a connection of an address; false, with nothing counted, if the address is full. */
    boolean enterAddress(InetAddress address) {
        int limit = limits.maxPerAddress();
        if (limit == 0) {
            return true;
        }
        int count = byAddress.merge(address, 1, Integer::sum);
        if (count > limit) {
            leaveAddress(address);
            refuse(LimitScope.ADDRESS);
            return false;
        }
        return true;
    }

    void leaveAddress(InetAddress address) {
        if (limits.maxPerAddress() > 0) {
            byAddress.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
        }
    }

    void refuse(LimitScope scope) {
        metrics.connectionRefused(scope);
        long count = refused.incrementAndGet();
        if (count == 1 || count % LOG_EVERY == 0) {
            LOG.atWarn()
                    .addKeyValue("scope", scope)
                    .addKeyValue("refused", count)
                    .log("connections are refused at a limit");
        }
    }

    int active() {
        return active.get();
    }

    int peak() {
        return peak.get();
    }
}

package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.DeliveryMetrics;
import org.prismpool.delivery.DeliveryPorts;
import org.prismpool.delivery.IssuedJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State and neighbours that the lanes share; every field is final and thread-safe by itself. */
final class DeliveryContext<W, J> {

    private static final Logger LOG = LoggerFactory.getLogger("org.prismpool.delivery.JobDelivery");

    final DeliveryConfig config;
    final DeliveryPorts<W> ports;
    final ConcurrentMap<Long, ConnectionJobs<W, J>> connections = new ConcurrentHashMap<>();
    final RetainedJobs<J> retained;
    final PendingWaits waits = new PendingWaits();
    final HashrateCoverage coverage;
    private final AtomicLong jobNumbers = new AtomicLong();
    private final String jobPrefix;

    DeliveryContext(DeliveryConfig config, DeliveryPorts<W> ports) {
        this.config = config;
        this.ports = ports;
        this.retained = new RetainedJobs<>(
                config.retention(),
                ports.metrics(),
                id -> Optional.ofNullable(connections.get(id)).flatMap(ConnectionJobs::tipWork));
        this.coverage = new HashrateCoverage(ports.metrics());
        String boot = config.jobs().boot();
        this.jobPrefix = boot.isEmpty() ? "prism-" : "prism-" + boot + "-";
    }

    long now() {
        return ports.clock().nanoTime();
    }

    String nextJobId() {
        return jobPrefix + jobNumbers.incrementAndGet();
    }

    Optional<ConnectionJobs<W, J>> connection(long id) {
        return Optional.ofNullable(connections.get(id));
    }

    DeliveryMetrics metrics() {
        return ports.metrics();
    }

    long after(Duration wait) {
        return now() + wait.toNanos();
    }

    void retain(Iterable<IssuedJob<J>> jobs) {
        for (IssuedJob<J> job : jobs) {
            retained.retain(job, now());
        }
    }

    /** Runs a call into a follower or a connection whose fault must not stop the delivery of others. */
    void guarded(String what, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException fault) {
            fault(what, fault);
        }
    }

    /** Runs an action once a stage is done; the action itself must not throw. */
    static <T> void whenDone(CompletionStage<T> stage, BiConsumer<? super T, ? super Throwable> action) {
        stage.whenComplete(action);
    }

    /** Reports a fault that ends one delivery only. */
    void fault(String what, RuntimeException fault) {
        LOG.atError().setCause(fault).addKeyValue("call", what).log("delivery fault");
    }
}

package org.prismpool.lifecycle.service;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import org.prismpool.lifecycle.shutdown.DrainStep;
import org.prismpool.lifecycle.shutdown.StopSignal;

/**
 * Owns the threads of the background services: names, start, heartbeats and the order in which they are joined.
 *
 * <p>Thread-safe. Source: spec 08 section 4.1.
 */
public final class ServiceRegistry {

    private final StopSignal stop;
    private final Heartbeats heartbeats;
    private final ServiceObserver observer;
    private final Duration waitSlice;
    private final ThreadFactory threads;
    private final Map<String, RegisteredService> services = new LinkedHashMap<>(); // guarded by this

    /**
     * Creates an empty registry whose services run on daemon threads.
     *
     * @param stop tells the loops to end
     * @param heartbeats where watched services beat
     * @param observer told of failures and restarts
     * @param waitSlice longest silence of a watched loop that waits on purpose; the smaller of 0.25 s and nine tenths of
     *     the watchdog timeout
     */
    public ServiceRegistry(StopSignal stop, Heartbeats heartbeats, ServiceObserver observer, Duration waitSlice) {
        this(stop, heartbeats, observer, waitSlice, ServiceRegistry::daemon);
    }

    /**
     * Creates an empty registry with threads of another making.
     *
     * @param stop tells the loops to end
     * @param heartbeats where watched services beat
     * @param observer told of failures and restarts
     * @param waitSlice longest silence of a watched loop that waits on purpose, more than zero
     * @param threads makes one thread per service; the registry names it
     */
    public ServiceRegistry(
            StopSignal stop,
            Heartbeats heartbeats,
            ServiceObserver observer,
            Duration waitSlice,
            ThreadFactory threads) {
        this.stop = Objects.requireNonNull(stop, "stop");
        this.heartbeats = Objects.requireNonNull(heartbeats, "heartbeats");
        this.observer = Objects.requireNonNull(observer, "observer");
        this.threads = Objects.requireNonNull(threads, "threads");
        if (waitSlice.isNegative() || waitSlice.isZero()) {
            throw new IllegalArgumentException("waitSlice must be more than zero, not " + waitSlice);
        }
        this.waitSlice = waitSlice;
    }

    /**
     * Adds a service; the order of additions is the order of the joins.
     *
     * @param spec the service
     * @throws IllegalArgumentException if its name or its thread name is taken
     */
    public synchronized void register(ServiceSpec spec) {
        add(spec, spec.body());
    }

    /**
     * Adds a service unless an equivalent one is there: the same in everything but its code, and of the same identity.
     *
     * @param spec the service
     * @param identity what its code belongs to, for example a listener
     * @return true if it was added
     * @throws IllegalArgumentException if a different service has its name or its thread name
     */
    public synchronized boolean registerIfAbsent(ServiceSpec spec, Object identity) {
        RegisteredService present = services.get(spec.name());
        if (present != null && present.equivalentTo(spec, identity)) {
            return false;
        }
        add(spec, identity);
        return true;
    }

    /**
     * Starts a service. A repeated call returns the same handle; after a failure it does only what is still missing, so
     * that no second thread appears.
     *
     * @param name name of the service
     * @return handle to the running service
     * @throws IllegalArgumentException if no such service was added
     * @throws RuntimeException what starting the thread or its hook threw
     */
    public ServiceHandle start(String name) {
        RegisteredService service;
        synchronized (this) {
            service = services.get(name);
        }
        if (service == null) {
            throw new IllegalArgumentException("no service of that name: " + name);
        }
        return service.start();
    }

    /**
     * Returns what stops the started services, in the order they were added. Raise the stop signal first.
     *
     * @return one step per started service
     */
    public synchronized List<DrainStep> drainOrder() {
        return services.values().stream()
                .filter(RegisteredService::started)
                .map(RegisteredService::drainStep)
                .toList();
    }

    /**
     * Returns the names whose heartbeats are judged.
     *
     * @param startedOnly whether to leave out services that have not been started
     * @return sorted names
     */
    public synchronized SortedSet<String> watchedNames(boolean startedOnly) {
        TreeSet<String> names = new TreeSet<>();
        for (RegisteredService service : services.values()) {
            if (service.spec().watched() && (!startedOnly || service.started())) {
                names.add(service.spec().name());
            }
        }
        return names;
    }

    private void add(ServiceSpec spec, Object identity) {
        for (RegisteredService other : services.values()) {
            if (other.spec().name().equals(spec.name())
                    || other.spec().threadName().equals(spec.threadName())) {
                throw new IllegalArgumentException("service name or thread name is taken: " + spec.name());
            }
        }
        services.put(spec.name(), new RegisteredService(spec, identity, this::threadFor, heartbeats));
    }

    private Thread threadFor(ServiceSpec spec) {
        Thread thread = Objects.requireNonNull(
                threads.newThread(new ServiceLoop(spec, stop, heartbeats, observer, waitSlice)),
                "the thread factory returned no thread");
        thread.setName(spec.threadName());
        return thread;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }
}

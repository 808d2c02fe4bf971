package org.prismpool.stratum.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.session.SessionPorts;
import org.prismpool.stratum.session.SessionServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the connections of one server share. Thread-safe. */
final class ServerContext {

    private static final Logger LOG = LoggerFactory.getLogger(ServerContext.class);
    private static final long SECOND = 1_000_000_000L;
    /** How long an extranonce1 rests: longer than any job of a closed connection may be submitted. */
    private static final long EXTRANONCE_REST = 120 * SECOND;

    private final StratumConfig config;
    private final SessionPorts ports;
    private final SessionServices services;
    private final Admission admission;
    private final Extranonces extranonces;
    private final AtomicLong lastId = new AtomicLong();
    private final LogGate foreignLog;
    private final Map<Long, MinerChannel> channels = new ConcurrentHashMap<>();

    ServerContext(StratumConfig config, SessionPorts ports) {
        this.config = config;
        this.ports = ports;
        this.services = new SessionServices(config, ports);
        this.admission = new Admission(config.connections(), ports.metrics());
        this.extranonces =
                new Extranonces(config.jobs().extranonce1Base(), config.jobs().extranonce1Space(), EXTRANONCE_REST);
        this.foreignLog = new LogGate(now());
    }

    StratumConfig config() {
        return config;
    }

    SessionPorts ports() {
        return ports;
    }

    SessionServices services() {
        return services;
    }

    Admission admission() {
        return admission;
    }

    Extranonces extranonces() {
        return extranonces;
    }

    Map<Long, MinerChannel> channels() {
        return channels;
    }

    long now() {
        return ports.clock().nanoTime();
    }

    long nextId() {
        return lastId.incrementAndGet();
    }

    void opened(MinerChannel channel) {
        channels.put(channel.session().id(), channel);
    }

    void closed(MinerChannel channel, int extranonce1, DisconnectReason reason) {
        channels.remove(channel.session().id());
        extranonces.release(extranonce1, channel.session().everHadWork(), now());
        ports.metrics().disconnected(reason);
    }

    /** Logs a foreign protocol, at most once a second over all connections: outsiders cause it at will. */
    void foreignProtocol() {
        if (foreignLog.passes(now())) {
            LOG.atInfo().log("connection speaks another protocol; closed");
        }
    }
}

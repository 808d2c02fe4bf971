package org.prismpool.app.composition.backend;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.prismpool.bundle.CollectionIdentity;
import org.prismpool.stratum.StratumConnection;
import org.prismpool.stratum.WorkerIdentity;

/** Open miner connections by number, for owners that know connections by number only. Thread-safe. */
public final class Connections {

    private final ConcurrentMap<Long, StratumConnection> open = new ConcurrentHashMap<>();

    public void add(StratumConnection connection) {
        open.put(connection.id(), connection);
    }

    public void remove(StratumConnection connection) {
        open.remove(connection.id());
    }

    Optional<StratumConnection> find(long id) {
        return Optional.ofNullable(open.get(id));
    }

    Collection<StratumConnection> all() {
        return List.copyOf(open.values());
    }

    /** Who a collection bundle for this connection would pay. */
    public Optional<CollectionIdentity> identity(long id) {
        return find(id).flatMap(connection -> connection.view().worker()).map(Connections::identity);
    }

    public static CollectionIdentity identity(WorkerIdentity worker) {
        return new CollectionIdentity(worker.payoutAddress(), worker.programHex());
    }
}

package org.prismpool.app.check;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.prismpool.app.composition.backend.BackendAddresses;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.Environment;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.ProcessRole;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.HttpNodeRpc;
import org.prismpool.templates.rpc.RpcCredentials;
import org.prismpool.templates.rpc.RpcEndpoint;

/**
 * One check of a deployment: the whole configuration, and then what it points to. Used by one thread; every probe is bounded.
 * Source: spec 01 §6.
 */
public final class SelfCheck {

    private final Map<String, String> texts;
    private final ProcessRole role;
    private final ConfigReport report;
    private final Duration longest;
    private final MonotonicClock clock = MonotonicClock.system();

    /**
     * Creates a check.
     *
     * @param texts environment texts by name
     * @param role process that is to run on them
     * @param longest cap of every probe's own limit
     */
    public SelfCheck(Map<String, String> texts, ProcessRole role, Duration longest) {
        this.texts = Map.copyOf(texts);
        this.role = role;
        this.report = PrismConfiguration.loader(role).load(this.texts);
        this.longest = longest;
    }

    /**
     * Judges.
     *
     * @param live whether node, database and coordinator are asked too
     * @param strict whether a warning counts as a failure
     * @param only ids of the rows that are wanted, empty for all
     * @return the rows
     * @throws InterruptedException if interrupted
     */
    public CheckReport run(boolean live, boolean strict, Set<String> only) throws InterruptedException {
        StaticChecks statics = new StaticChecks(report, texts, role);
        List<CheckRow> rows = new ArrayList<>(role.coordinates() ? statics.rows() : statics.rowsOfReader());
        if (live) {
            rows.addAll(live());
        } else {
            rows.add(CheckRow.warn("live.probes", "skipped"));
        }
        return new CheckReport(rows, strict).only(only);
    }

    /** Also after failed static rows; a probe whose inputs are missing is left out. */
    private List<CheckRow> live() throws InterruptedException {
        Environment e = report.environment();
        Prelaunch prelaunch = new Prelaunch(texts);
        List<CheckRow> rows = new ArrayList<>();
        Optional<Network> network = e.find(NodeVariables.QBIT_CHAIN).flatMap(Network::ofName);
        Optional<RpcEndpoint> endpoint = endpoint(e);
        if (network.isPresent() && endpoint.isPresent()) {
            try (HttpNodeRpc node = HttpNodeRpc.to(endpoint.get())) {
                NodeChecks checks = new NodeChecks(
                        node, node.wallet(), network.get(), e, prelaunch, this::nodeDeadline, Clock.systemUTC());
                rows.addAll(role.coordinates() ? checks.rows() : checks.rowsOfReader());
            }
        }
        if (!role.coordinates()) {
            BackendAddresses.publicDatabase(e)
                    .ifPresent(database -> rows.addAll(new DatabaseChecks(database, e, texts, longest).rowsOfReader()));
            return rows;
        }
        Optional<PostgresTarget> database = BackendAddresses.database(e);
        if (database.isPresent()) {
            rows.addAll(new DatabaseChecks(database.get(), e, texts, longest).rows());
        }
        rows.addAll(new CoordinatorChecks(e, texts, prelaunch, longest, clock).rows());
        return rows;
    }

    private Deadline nodeDeadline() {
        Duration limit = NodeChecks.LIMIT.compareTo(longest) < 0 ? NodeChecks.LIMIT : longest;
        return Deadline.after(limit, clock, "check");
    }

    /** The published address where packaging names one, else the coordinator's own. */
    private Optional<RpcEndpoint> endpoint(Environment e) {
        Optional<RpcCredentials> credentials = BackendAddresses.nodeCredentials(e);
        Optional<PublishedPort> at = Words.given(texts, "QBIT_RPC_PORT_HOST")
                .flatMap(PublishedPort::parse)
                .or(() -> e.find(NodeVariables.QBIT_RPC_HOST)
                        .flatMap(host ->
                                e.find(NodeVariables.QBIT_RPC_PORT).map(port -> new PublishedPort(host, port))));
        return credentials.flatMap(known -> at.map(place -> RpcEndpoint.of(place.connectHost(), place.port(), known)));
    }
}

package org.prismpool.app.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.prismpool.app.composition.Coordinator;
import org.prismpool.app.composition.CoordinatorOptions;
import org.prismpool.app.composition.PoolEvents;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.demo.miner.CpuMiner;
import org.prismpool.app.demo.miner.CpuMinerConfig;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;

/**
 * Database, node, coordinator and miners of one demo: started in this order, closed in the opposite one.
 *
 * <p>Used by one thread.
 */
final class DemoPool implements AutoCloseable {

    private static final int PASSWORD_BYTES = 16;

    private final DemoOptions options;
    private final DemoIdentities identities;
    private final Path directory;
    private final Deque<Runnable> closing = new ArrayDeque<>();
    private final List<CpuMiner> miners = new ArrayList<>();
    private final DevNode node;
    private final Coordinator coordinator;

    private DemoPool(
            DemoOptions options, DemoIdentities identities, Path directory, DevNode node, Coordinator coordinator) {
        this.options = options;
        this.identities = identities;
        this.directory = directory;
        this.node = node;
        this.coordinator = coordinator;
    }

    /**
     * Opens database and node and prepares the coordinator.
     *
     * @param options what the demo is asked to do
     * @param directory where everything is kept
     * @param events told of blocks and progress
     * @return the pool, not started yet
     * @throws DemoFailure if something cannot be opened
     */
    static DemoPool open(DemoOptions options, Path directory, PoolEvents events) throws DemoFailure {
        Deque<Runnable> opened = new ArrayDeque<>();
        try {
            Optional<String> dsn = Optional.empty();
            if (!options.memoryLedger()) {
                events.progress("database: starting PostgreSQL in " + directory.resolve("postgres"));
                EmbeddedDatabase database = EmbeddedDatabase.start(directory.resolve("postgres"));
                opened.push(database::close);
                dsn = Optional.of(database.dsn());
            }
            DevNode node = DevNode.start(DevNodeConfig.forDemo().withDataDirectory(directory.resolve("node")));
            opened.push(node::close);
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            String password = HexFormat.of().formatHex(random);
            DevNodeHttp http = DevNodeHttp.start(
                    DevNodeHttpConfig.onLoopback("prism", password).withPort(0), node);
            opened.push(http::close);
            events.progress("node: development node answers on " + http.url());
            DemoIdentities identities = new DemoIdentities(options.seed());
            ConfigReport report = PrismConfiguration.loader()
                    .load(DemoEnvironment.of(options, identities, http.port(), password, dsn, directory));
            if (!report.ok()) {
                throw new IllegalStateException("the demo's own environment is refused:\n" + report.render());
            }
            Coordinator coordinator = new Coordinator(
                    report.environment(),
                    new CoordinatorOptions(
                            Optional.of(options.port()),
                            Optional.of(0),
                            report.warnings().size()),
                    events);
            DemoPool pool = new DemoPool(options, identities, directory, node, coordinator);
            pool.closing.addAll(opened);
            return pool;
        } catch (IOException | RuntimeException failed) {
            opened.forEach(Runnable::run);
            throw new DemoFailure(String.valueOf(failed.getMessage()), failed);
        }
    }

    /**
     * Starts coordinator and miners.
     *
     * @return false if a stop was requested meanwhile
     * @throws DemoFailure if the coordinator refuses to start
     * @throws InterruptedException if interrupted
     */
    boolean start() throws DemoFailure, InterruptedException {
        closing.push(() -> coordinator.stop("demo_end"));
        try {
            if (!coordinator.start()) {
                return false;
            }
        } catch (StartFailure refused) {
            throw new DemoFailure(String.valueOf(refused.getMessage()), refused);
        }
        for (int number = 1; number <= options.miners(); number++) {
            String username = identities.miner(number).text() + ".miner" + number;
            CpuMiner miner = new CpuMiner(CpuMinerConfig.forPool("127.0.0.1", coordinator.stratumPort(), username)
                    .withPassword("x")
                    .withThreads(1)
                    .withSeed(options.seed() * 1000 + number));
            closing.push(miner::close);
            miners.add(miner);
            miner.start();
        }
        return true;
    }

    /** Asks the coordinator to end; from any thread. */
    void requestStop() {
        coordinator.requestStop(OptionalInt.empty());
    }

    Coordinator coordinator() {
        return coordinator;
    }

    List<CpuMiner> miners() {
        return miners;
    }

    /** A payout address that no built-in miner uses. */
    String spareAddress() {
        return identities.miner(options.miners() + 1).text();
    }

    BlockCheck blockCheck() {
        return new BlockCheck(
                node, directory.resolve("audit"), identities.ledgerKey().publicKeyHex());
    }

    @Override
    public void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
    }
}

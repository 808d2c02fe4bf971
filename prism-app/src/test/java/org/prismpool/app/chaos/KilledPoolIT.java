package org.prismpool.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.devnode.fault.CallPoint;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.app.devnode.fault.FaultPlan;
import org.prismpool.templates.chain.Hash256;

/**
 * kill -9 of {@code prism run} between the steps of a found block, while node and database go on: the next process finishes
 * what the killed one began, once. Each point is held by a lock that the killed process waits for.
 */
@ExtendWith(SharedPostgres.class)
@Timeout(240)
class KilledPoolIT {

    private static final Duration START = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private TestPool pool;
    private String dsn = "";
    private int port;
    private Optional<Process> process = Optional.empty();
    private Optional<TestMiner> miner = Optional.empty();
    private int starts;

    /** Where the process dies. */
    private enum Point {
        NOT_OFFERED(""),
        ATTEMPT_MARK("UPDATE OF attempt_count ON qbit_block_candidate_outbox FOR EACH ROW"),
        PERSIST("INSERT ON qbit_pool_blocks FOR EACH ROW"),
        CONFIRM("UPDATE ON qbit_pool_blocks FOR EACH ROW WHEN (NEW.chain_state = 'confirmed')"),
        AUDIT_PUBLICATION(""),
        OUTBOX_END("UPDATE ON qbit_block_candidate_outbox FOR EACH ROW WHEN (NEW.state = 'submitted')");

        private final String statement;

        Point(String statement) {
            this.statement = statement;
        }
    }

    @BeforeEach
    void open(SharedPostgres.Server postgres) throws Exception {
        pool = new TestPool(postgres, directory);
        dsn = pool.environment().get("PRISM_DATABASE_URL");
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        pool.set("PRISM_STRATUM_PORT", Integer.toString(port));
    }

    @AfterEach
    void close() throws Exception {
        stop();
        pool.close();
    }

    private void start() throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "org.prismpool.app.Main",
                "run");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("run-" + ++starts + ".txt").toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("PRISM_") || name.startsWith("QBIT_"));
        environment.putAll(pool.environment());
        process = Optional.of(builder.start());
        await("the pool's port").atMost(START).ignoreExceptions().until(() -> {
            miner = Optional.of(new TestMiner(port, TestPool.MINER_A + ".rig"));
            return true;
        });
    }

    private void kill() throws InterruptedException {
        miner.ifPresent(TestMiner::close);
        Process running = process.orElseThrow();
        running.destroyForcibly();
        assertThat(running.waitFor(30, TimeUnit.SECONDS)).isTrue();
        process = Optional.empty();
    }

    private void stop() throws InterruptedException, IOException {
        miner.ifPresent(TestMiner::close);
        if (process.isPresent()) {
            process.get().destroy();
            assertThat(process.get().waitFor(60, TimeUnit.SECONDS))
                    .as(() -> output())
                    .isTrue();
            process = Optional.empty();
        }
    }

    private String output() {
        try {
            return Files.readString(directory.resolve("run-" + starts + ".txt"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private TestMiner.Solve solve() {
        return miner.orElseThrow().solve(miner.orElseThrow().awaitJobOn(pool.tip()));
    }

    /** Finds a block, kills the process when it has come to the point, and starts the next one. */
    private Hash256 killedAt(Point point) throws Exception {
        Hash256 found = switch (point) {
            case NOT_OFFERED -> killedBeforeTheOffer();
            case AUDIT_PUBLICATION -> killedBeforePublication();
            default -> killedBefore(point.statement);
        };
        start();
        return found;
    }

    private Hash256 found() {
        TestMiner.Solve solve = solve();
        assertThat(miner.orElseThrow().submitted(solve).path("result").asBoolean())
                .isTrue();
        pool.acknowledged.add(miner.orElseThrow().shareId(solve));
        return solve.hash();
    }

    private Hash256 killedBeforeTheOffer() throws Exception {
        int before = pool.node().recorder().calls("submitblock").size();
        pool.node().faults().add("submitblock", new Fault.Drop(CallPoint.BEFORE_PROCESSING), FaultPlan.UNTIL_CLEARED);
        Hash256 hash = found();
        await("an offer")
                .atMost(TestMiner.PATIENCE)
                .until(() -> pool.node().recorder().calls("submitblock").size() > before);
        kill();
        pool.node().faults().clear();
        return hash;
    }

    /** Takes the publication lock between storing the body and publishing, while the confirmation waits. */
    private Hash256 killedBeforePublication() throws Exception {
        Path lock = directory.resolve("audit/.prism-audit-publication.lock");
        try (Connection holder = SharedPostgres.connect(dsn);
                Statement sql = holder.createStatement()) {
            Hash256 hash = foundAndHeldAt(Point.CONFIRM.statement, sql);
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                assertThat(held.isValid()).isTrue();
                sql.execute("SELECT pg_advisory_unlock(4711)");
                pool.chainState(hash, "confirmed");
                kill();
            }
            sql.execute("DROP TRIGGER test_point ON " + table(Point.CONFIRM.statement));
            return hash;
        }
    }

    private Hash256 killedBefore(String statement) throws Exception {
        try (Connection holder = SharedPostgres.connect(dsn);
                Statement sql = holder.createStatement()) {
            Hash256 hash = foundAndHeldAt(statement, sql);
            kill();
            // What the dead process has sent must not be committed for it.
            sql.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                    + " AND objid = 4711 AND NOT granted");
            await("its session ends").atMost(TestMiner.PATIENCE).until(() -> waiting() == 0);
            sql.execute("SELECT pg_advisory_unlock(4711)");
            sql.execute("DROP TRIGGER test_point ON " + table(statement));
            return hash;
        }
    }

    /** Finds a block and returns when its accounting waits for a lock at a statement. */
    private Hash256 foundAndHeldAt(String statement, Statement sql) throws Exception {
        sql.execute("CREATE OR REPLACE FUNCTION test_wait() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$");
        sql.execute("CREATE TRIGGER test_point BEFORE " + statement + " EXECUTE FUNCTION test_wait()");
        sql.execute("SELECT pg_advisory_lock(4711)");
        Hash256 hash = found();
        await("the point").atMost(TestMiner.PATIENCE).until(() -> waiting() > 0);
        return hash;
    }

    private long waiting() {
        return pool.books.count(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted");
    }

    private static String table(String statement) {
        return statement.replaceAll(".* ON (\\w+) .*", "$1");
    }

    private void survives(List<Point> points) throws Exception {
        start();
        List<Hash256> found = new ArrayList<>();
        for (Point point : points) {
            Hash256 hash = killedAt(point);
            pool.settled(hash, "submitted");
            pool.chainState(hash, "confirmed");
            found.add(hash);
        }
        assertThat(pool.books.blocks()).hasSameSizeAs(points);
        assertThat(found)
                .extracting(pool.books::ordinal)
                .as("one ordinal each, in order; a killed confirmation may leave a gap")
                .doesNotContain(0L)
                .doesNotHaveDuplicates()
                .isSorted();
        stop();
        pool.assertBooksHold();
    }

    @Test
    void aKillBetweenPreparedAndConfirmedIsFinishedByTheNextProcess() throws Exception {
        survives(List.of(Point.CONFIRM));
    }

    @Test
    @Tag("soak")
    void aKillAtEveryStepIsFinishedByTheNextProcess() throws Exception {
        survives(List.of(Point.values()));
    }

    @Test
    @Tag("soak")
    void aBlockThatIsOrphanedWhileThePoolIsDeadHasItsRowsRejectedInTheEnd() throws Exception {
        pool.set("PRISM_OBSERVED_TIP_ACCEPT_WINDOW_SECONDS", "1"); // how long prepared rows speak for the block
        start();
        Hash256 below = pool.tip();
        Hash256 hash = killedBefore(Point.CONFIRM.statement);
        assertThat(pool.books.chainState(hash)).isEqualTo("prepared");
        pool.node().control().mineFork(below, 2);
        start();
        Hash256 next = found();
        pool.settled(next, "submitted");
        assertThat(pool.books.outboxState(hash)).isEqualTo("pending");

        pool.node().control().mine(100);

        pool.settled(hash, "abandoned");
        pool.chainState(hash, "rejected");
        stop();
        pool.assertBooksHold();
    }
}

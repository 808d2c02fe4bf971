package org.prismpool.app.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server of this process, with its data in a directory of its own and every durability setting on.
 *
 * <p>Started and closed by one owner. A server left behind by a killed process on the same data is stopped first.
 */
public final class EmbeddedDatabase implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration ORPHAN_STOP = Duration.ofSeconds(30);

    private final EmbeddedPostgres server;

    private EmbeddedDatabase(EmbeddedPostgres server) {
        this.server = server;
    }

    /**
     * Starts a server.
     *
     * @param directory data directory, created if absent, reused if it holds a cluster
     * @return the running server
     * @throws IOException if it cannot be started; the message names the directory
     */
    public static EmbeddedDatabase start(Path directory) throws IOException {
        return start(directory, Map.of());
    }

    /**
     * Starts a server with further settings.
     *
     * @param directory data directory, created if absent, reused if it holds a cluster
     * @param settings server settings beside the durability ones
     * @return the running server
     * @throws IOException if it cannot be started; the message names the directory
     */
    public static EmbeddedDatabase start(Path directory, Map<String, String> settings) throws IOException {
        Files.createDirectories(directory);
        stopOrphan(directory);
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
            settings.forEach(builder::setServerConfig);
            EmbeddedPostgres server = builder.setDataDirectory(directory)
                    .setCleanDataDirectory(false)
                    .setPGStartupWait(START)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "60")
                    .start();
            return new EmbeddedDatabase(server);
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "the embedded PostgreSQL cannot be started in " + directory + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns how to reach the server.
     *
     * @return a DSN without password, for the loopback address only
     */
    public String dsn() {
        return "postgresql://postgres@127.0.0.1:" + server.getPort() + "/postgres";
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("embedded PostgreSQL did not stop cleanly");
        }
    }

    /** A killed program leaves its postmaster running; two of them must never share one data directory. */
    private static void stopOrphan(Path directory) throws IOException {
        Path pidFile = directory.resolve("postmaster.pid");
        if (!Files.exists(pidFile)) {
            return;
        }
        List<String> lines = Files.readAllLines(pidFile);
        if (lines.isEmpty() || !lines.get(0).strip().matches("[0-9]{1,18}")) {
            return;
        }
        Optional<ProcessHandle> orphan = ProcessHandle.of(
                        Long.parseLong(lines.get(0).strip()))
                .filter(p -> p.info().command().map(c -> c.contains("postgres")).orElse(false));
        if (orphan.isPresent()) {
            LOG.atWarn().addKeyValue("pid", orphan.get().pid()).log("stopping the PostgreSQL of a killed process");
            stop(orphan.get(), directory);
        }
    }

    private static void stop(ProcessHandle orphan, Path directory) throws IOException {
        orphan.destroy();
        try {
            orphan.onExit().get(ORPHAN_STOP.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while stopping the old PostgreSQL in " + directory, e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(
                    "the old PostgreSQL (pid " + orphan.pid() + ") in " + directory + " does not stop", e);
        }
    }
}

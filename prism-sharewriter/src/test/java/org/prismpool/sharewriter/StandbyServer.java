package org.prismpool.sharewriter;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A primary of its own and a hot standby that streams from it. */
public final class StandbyServer implements AutoCloseable {

    private static final String CONNECTIONS = "300"; // a standby must allow as many as its primary
    private static final Set<String> NOT_COPIED = Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

    private final EmbeddedPostgres primary;
    private final Path data;
    private final String bin;
    private final int port;

    private StandbyServer(EmbeddedPostgres primary, Path data, String bin, int port) {
        this.primary = primary;
        this.data = data;
        this.bin = bin;
        this.port = port;
    }

    /** Starts both in a directory. */
    public static StandbyServer start(Path directory) throws IOException, SQLException, InterruptedException {
        EmbeddedPostgres primary = EmbeddedPostgres.builder()
                .setServerConfig("max_connections", CONNECTIONS)
                .setServerConfig("wal_level", "replica")
                .setServerConfig("wal_keep_size", "256MB")
                .start();
        String url = url(primary.getPort());
        Path data = Files.createDirectory(
                directory.resolve("standby"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        copy(url, Path.of(TestPostgres.ask(url, "SHOW data_directory")), data);
        Files.createFile(data.resolve("standby.signal"));
        Files.writeString(
                data.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=localhost port=" + primary.getPort() + " user=postgres'\n");
        String bin = TestPostgres.ask(url, "SELECT setting FROM pg_config WHERE name = 'BINDIR'");
        StandbyServer standby = new StandbyServer(primary, data, bin, freePort());
        standby.control(
                "start", "-o", "-i -p " + standby.port + " -c hot_standby=on -c max_connections=" + CONNECTIONS);
        return standby;
    }

    /** Copies a running server's files as an online backup: what the copy misses is in the log that it streams. */
    private static void copy(String url, Path from, Path to) throws IOException, SQLException {
        try (Connection connection = TestPostgres.connect(url);
                Statement backup = connection.createStatement()) {
            backup.execute("SELECT pg_backup_start('standby', true)");
            Files.walkFileTree(from, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes facts) throws IOException {
                    Path copy = to.resolve(from.relativize(directory).toString());
                    if (!directory.equals(from)) {
                        Files.createDirectory(copy);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes facts) throws IOException {
                    boolean log = file.startsWith(from.resolve("pg_wal"));
                    if (!log && !NOT_COPIED.contains(file.getFileName().toString())) {
                        Files.copy(file, to.resolve(from.relativize(file).toString()));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE; // temporary files come and go
                }
            });
            try (ResultSet row = backup.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                row.next();
                Files.writeString(to.resolve("backup_label"), row.getString(1));
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void control(String... command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("unshare", "-U", bin + "/pg_ctl", "-D", data.toString()));
        line.addAll(List.of("-w", "-t", "180", "-l", data.resolve("server.log").toString()));
        line.addAll(List.of(command));
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(
                    "pg_ctl " + command[0] + " failed: " + Files.readString(data.resolve("server.log")));
        }
    }

    private static String url(int port) {
        return "postgresql://postgres@localhost:" + port + "/postgres";
    }

    /** Address of the primary. */
    public String primaryUrl() {
        return url(primary.getPort());
    }

    /** Address of the standby. */
    public String standbyUrl() {
        return url(port);
    }

    @Override
    public void close() throws IOException {
        try {
            control("stop", "-m", "immediate");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            primary.close();
        }
    }
}

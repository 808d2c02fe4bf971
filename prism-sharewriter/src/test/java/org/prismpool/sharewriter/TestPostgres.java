package org.prismpool.sharewriter;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.SchemaMigrator;

/**
 * One server per test run, with full durability, and one database per test class, copied from a migrated template.
 *
 * <p>{@code -Dprism.test.postgres=postgresql://user:password@host:port/postgres} runs the tests against an external
 * server; its user must be allowed to create databases.
 */
public final class TestPostgres {

    private static final String TEMPLATE = "prism_template";
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final Queue<String> FREE = new ConcurrentLinkedQueue<>();
    private static final String RESET = "DELETE FROM qbit_ctv_fanout_broadcast_attempts;"
            + " DELETE FROM qbit_ctv_fanout_artifacts; DELETE FROM qbit_ctv_fanout_sets;"
            + " DELETE FROM qbit_pool_audit_bundles; DELETE FROM qbit_pool_payout_entries;"
            + " DELETE FROM qbit_payout_carry_forward; DELETE FROM qbit_pool_blocks;"
            + " DELETE FROM qbit_payout_carry_forward_current; DELETE FROM qbit_block_candidate_outbox;"
            + " DELETE FROM qbit_share_ledger; DELETE FROM qbit_ledger_writer_lease;"
            + " SELECT setval(c.oid, 1, false) FROM pg_class c WHERE relkind = 'S' AND relname LIKE 'qbit_%'";
    private static final Server SERVER = start();

    private TestPostgres() {}

    private record Server(String base, String account) {
        String url(String database) {
            return "postgresql://" + account + base + "/" + database;
        }
    }

    private static Server start() {
        String external = System.getProperty("prism.test.postgres", "");
        Server server = external.isEmpty() ? embedded() : external(external);
        run(server.url("postgres"), "DROP DATABASE IF EXISTS " + TEMPLATE, "CREATE DATABASE " + TEMPLATE);
        new SchemaMigrator(PostgresTarget.parse(server.url(TEMPLATE))).up();
        return server;
    }

    private static Server external(String url) {
        String rest = url.substring(url.indexOf("://") + 3, url.lastIndexOf('/'));
        int at = rest.lastIndexOf('@');
        return new Server(rest.substring(at + 1), rest.substring(0, at + 1));
    }

    private static Server embedded() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "200")
                    .start();
            return new Server("localhost:" + postgres.getPort(), "postgres@");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Lends a database with the complete schema and no rows; returns its address. */
    public static String database() {
        String used = FREE.poll();
        if (used == null) {
            return create("TEMPLATE " + TEMPLATE);
        }
        run(used, RESET);
        return used;
    }

    /** Creates a database with the complete schema that is never lent again; returns its address. */
    public static String emptyMigratedDatabase() {
        return create("TEMPLATE " + TEMPLATE);
    }

    /** Takes a database back; rows are deleted before it is lent again, which is cheaper than a new database. */
    public static void giveBack(String url) {
        FREE.add(url);
    }

    /** Creates a database without any object; returns its address. */
    public static String emptyDatabase() {
        return create("");
    }

    private static synchronized String create(String options) {
        String name = "prism_test_" + ProcessHandle.current().pid() + "_" + NEXT.incrementAndGet();
        run(SERVER.url("postgres"), "CREATE DATABASE " + name + " " + options);
        return SERVER.url(name);
    }

    /**
     * Stops the embedded server without a shutdown checkpoint, as a crash would, and starts it again. What finished tests
     * wrote is made durable before, so that the recovery is about the running one.
     */
    public static void crashAndRestart() throws Exception {
        run(SERVER.url("postgres"), "CHECKPOINT");
        String data = ask(SERVER.url("postgres"), "SHOW data_directory");
        String bin = ask(SERVER.url("postgres"), "SELECT setting FROM pg_config WHERE name = 'BINDIR'");
        Process restart = new ProcessBuilder(
                        "unshare", "-U", bin + "/pg_ctl", "-D", data, "restart", "-m", "immediate", "-w", "-t", "180")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (restart.waitFor() != 0) {
            throw new IllegalStateException("the server did not restart");
        }
    }

    /** Opens a plain connection. */
    public static Connection connect(String url) throws SQLException {
        String jdbc = "jdbc:postgresql://" + url.substring(url.indexOf('@') + 1);
        String account = url.substring(url.indexOf("://") + 3, url.indexOf('@'));
        String user = account.contains(":") ? account.substring(0, account.indexOf(':')) : account;
        String password = account.contains(":") ? account.substring(account.indexOf(':') + 1) : "";
        return DriverManager.getConnection(jdbc, user, password);
    }

    /** Runs statements on a plain connection. */
    public static void run(String url, String... statements) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Explains a query; returns the whole plan as text. */
    public static String explain(String url, String sql) {
        StringBuilder plan = new StringBuilder();
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("EXPLAIN " + sql)) {
            while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
            }
            return plan.toString();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Reads the first column of the first row as text. */
    public static String ask(String url, String sql) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            return row.next() ? String.valueOf(row.getString(1)) : "no row";
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}

package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What a benchmark has to say about its server: version, durability, and the plan of the window read.
 *
 * @param version version as the server prints it
 * @param durability values of {@code fsync}, {@code full_page_writes} and {@code synchronous_commit}, in this order
 * @param windowPlan plan of a window's page with its times and buffers, one line each
 */
public record BenchServer(String version, List<String> durability, List<String> windowPlan) {

    /** Copies the lists. */
    public BenchServer {
        durability = List.copyOf(durability);
        windowPlan = List.copyOf(windowPlan);
    }

    /**
     * Asks the server; runs one page of a window.
     *
     * @param config where the database is
     * @param anchorMs anchor of the window, Unix milliseconds
     * @param rows rows of the page
     * @return its answers
     */
    public static BenchServer ask(PostgresConfig config, long anchorMs, int rows) {
        try (Connection connection = new Sessions(config)
                        .open(
                                "qbit-prism-bench",
                                config.connectTimeout(),
                                config.operationTimeout(),
                                config.operationTimeout());
                Statement statement = connection.createStatement()) {
            List<String> durability = new ArrayList<>();
            for (String name : List.of("fsync", "full_page_writes", "synchronous_commit")) {
                durability.addAll(lines(statement, "SHOW " + name));
            }
            String page = PostgresWindowReader.eligible(anchorMs) + " ORDER BY share_seq DESC LIMIT " + rows;
            return new BenchServer(
                    lines(statement, "SHOW server_version").get(0),
                    durability,
                    lines(statement, "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) " + page));
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private static List<String> lines(Statement statement, String sql) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }
}

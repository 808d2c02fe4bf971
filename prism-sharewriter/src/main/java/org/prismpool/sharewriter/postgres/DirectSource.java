package org.prismpool.sharewriter.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;

/** Single connections outside every pool, for tools. */
final class DirectSource {

    private DirectSource() {}

    /**
     * Makes a source.
     *
     * @param target where the database is
     * @param application name that the server shows
     * @param limit longest wait for a connection and for each answer; empty for none
     */
    static PGSimpleDataSource of(PostgresTarget target, String application, Optional<Duration> limit) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(target.jdbcUrl());
        target.properties().forEach((name, value) -> {
            switch (String.valueOf(name)) {
                case "user" -> source.setUser(String.valueOf(value));
                case "password" -> source.setPassword(String.valueOf(value));
                default -> setProperty(source, String.valueOf(name), String.valueOf(value));
            }
        });
        source.setApplicationName(application);
        limit.ifPresent(wait -> {
            int seconds = Math.toIntExact(Math.max(1, wait.toSeconds()));
            source.setLoginTimeout(seconds);
            source.setConnectTimeout(seconds);
            source.setSocketTimeout(seconds);
        });
        return source;
    }

    private static void setProperty(PGSimpleDataSource source, String name, String value) {
        try {
            source.setProperty(name, value);
        } catch (SQLException unknown) {
            throw new IllegalArgumentException("database URL has an unknown parameter: " + name, unknown);
        }
    }
}

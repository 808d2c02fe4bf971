package org.prismpool.app.chaos;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One PostgreSQL server for all tests of the module; each test asks it for a database of its own. */
public final class SharedPostgres implements BeforeAllCallback, ParameterResolver {

    private static final Duration START = Duration.ofSeconds(60);
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(SharedPostgres.class);

    /** The running server, closed with the test run. */
    public static final class Server implements AutoCloseable {

        private final EmbeddedPostgres server;
        private final AtomicInteger databases = new AtomicInteger();

        private Server() {
            try {
                this.server = EmbeddedPostgres.builder()
                        .setPGStartupWait(START)
                        .setServerConfig("max_connections", "60")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /**
         * Creates an empty database.
         *
         * @return its DSN
         * @throws SQLException if it can't be created
         */
        public String freshDatabase() throws SQLException {
            String name = "prism_" + databases.incrementAndGet();
            try (Connection connection = connect(dsn("postgres"));
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE " + name);
            }
            return dsn(name);
        }

        private String dsn(String database) {
            return "postgresql://postgres@127.0.0.1:" + server.getPort() + "/" + database;
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    /**
     * Connects to a database.
     *
     * @param dsn its DSN
     * @return an open connection
     * @throws SQLException if it can't be reached
     */
    public static Connection connect(String dsn) throws SQLException {
        return DriverManager.getConnection("jdbc:" + dsn.replace("postgres@", "") + "?user=postgres");
    }

    private static Server server(ExtensionContext context) {
        return context.getRoot().getStore(SPACE).getOrComputeIfAbsent("server", key -> new Server(), Server.class);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Server.class;
    }

    @Override
    public Server resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return server(context);
    }
}

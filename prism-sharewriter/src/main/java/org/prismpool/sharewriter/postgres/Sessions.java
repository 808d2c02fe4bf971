package org.prismpool.sharewriter.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.prismpool.sharewriter.LedgerUnavailableException;

/**
 * Makes connections: single ones for appends and the guard, pools for landing, outbox and reads.
 *
 * <p>Thread-safe. Sessions that write carry an application name unique to this process: by it the lease heartbeat tells
 * whether the lease row is locked by ourselves.
 */
final class Sessions {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final PostgresConfig config;
    private final String writerName;

    Sessions(PostgresConfig config) {
        this.config = config;
        byte[] unique = new byte[16];
        RANDOM.nextBytes(unique);
        this.writerName = "qbit-prism-writer-" + HexFormat.of().formatHex(unique);
    }

    PostgresConfig config() {
        return config;
    }

    String writerName() {
        return writerName;
    }

    SessionPool landing() {
        return pool("prism-ledger-landing", 2, writerName, false);
    }

    SessionPool outbox() {
        return pool("prism-ledger-outbox", 2, writerName, false);
    }

    SessionPool reads() {
        return pool("prism-ledger-read", config.readConcurrency(), "qbit-prism-reader", true);
    }

    /** Opens a connection of its own; the caller closes it. */
    Connection open(
            String applicationName, Duration connectTimeout, Duration statementTimeout, Duration socketTimeout) {
        Properties properties = properties(applicationName, connectTimeout, socketTimeout);
        properties.setProperty("options", "-c statement_timeout=" + statementTimeout.toMillis());
        try {
            @Nullable Connection connection = new Driver().connect(config.target().jdbcUrl(), properties);
            if (connection == null) {
                throw new LedgerUnavailableException("the driver does not know this database address");
            }
            initialise(connection);
            return connection;
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private void initialise(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sessionSettings());
        } catch (SQLException failure) {
            connection.close();
            throw failure;
        }
    }

    /**
     * Compilation is off: a plan that a session restricts has a fictitious cost, by which a server with a compiler would
     * compile each of these short statements anew, for tens of milliseconds.
     */
    private String sessionSettings() {
        PostgresConfig.Keepalives keepalives = config.keepalives();
        return "SET TIME ZONE 'UTC'; SET jit = off; SET idle_in_transaction_session_timeout = "
                + config.idleInTransactionTimeout().toMillis()
                + "; SET tcp_keepalives_idle = " + keepalives.idleSeconds()
                + "; SET tcp_keepalives_interval = " + keepalives.intervalSeconds()
                + "; SET tcp_keepalives_count = " + keepalives.count();
    }

    private Properties properties(String applicationName, Duration connectTimeout, Duration socketTimeout) {
        Properties properties = config.target().properties();
        properties.setProperty("ApplicationName", applicationName);
        properties.setProperty("connectTimeout", String.valueOf(seconds(connectTimeout)));
        properties.setProperty("loginTimeout", String.valueOf(seconds(connectTimeout)));
        properties.setProperty("socketTimeout", String.valueOf(seconds(socketTimeout)));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("prepareThreshold", "3");
        return properties;
    }

    private SessionPool pool(String name, int size, String applicationName, boolean readOnly) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName(name);
        pool.setJdbcUrl(config.target().jdbcUrl());
        // The socket timeout is a backstop above every statement deadline, so that a dead peer cannot hold a thread.
        pool.setDataSourceProperties(properties(applicationName, config.connectTimeout(), Duration.ofMinutes(5)));
        pool.setConnectionInitSql(sessionSettings()
                + (readOnly
                        ? "; SET default_transaction_read_only = on"
                                + "; SET default_transaction_isolation = 'repeatable read'"
                        : ""));
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(0);
        pool.setInitializationFailTimeout(-1);
        pool.setConnectionTimeout(Math.max(250, config.operationTimeout().toMillis()));
        pool.setAutoCommit(true); // so that the settings above are not part of a transaction that may roll back
        return new SessionPool(new HikariDataSource(pool));
    }

    private static long seconds(Duration duration) {
        return Math.max(1, (duration.toMillis() + 999) / 1000);
    }
}

package org.prismpool.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A parsed PostgreSQL DSN ({@code postgresql://user:password@host:port/database?key=value}); shows no password.
 *
 * @param host server host
 * @param port server port, 5432 when not given
 * @param database database name; the user's name when not given, as libpq does
 * @param user user name, empty when not given
 * @param password password, empty when not given
 * @param parameters further connection parameters, passed to the driver
 */
public record DatabaseUrl(
        String host,
        int port,
        String database,
        Optional<String> user,
        Optional<Secret> password,
        Map<String, String> parameters) {

    private static final int DEFAULT_PORT = 5432;

    /** Copies the parameters. */
    public DatabaseUrl {
        parameters = Map.copyOf(parameters);
    }

    /**
     * Parses a DSN.
     *
     * @param dsn text with scheme {@code postgres} or {@code postgresql}; user and password may be percent-encoded
     * @return the parsed form, empty if the text is not such a DSN
     */
    public static Optional<DatabaseUrl> parse(String dsn) {
        URI uri;
        try {
            uri = new URI(dsn);
        } catch (URISyntaxException malformed) {
            return Optional.empty();
        }
        boolean scheme = "postgres".equals(uri.getScheme()) || "postgresql".equals(uri.getScheme());
        if (!scheme || uri.getHost() == null) {
            return Optional.empty();
        }
        String[] credentials = uri.getRawUserInfo() == null
                ? new String[0]
                : uri.getRawUserInfo().split(":", 2);
        Optional<String> user = credentials.length > 0 ? Optional.of(decoded(credentials[0])) : Optional.empty();
        Optional<Secret> password =
                credentials.length > 1 ? Optional.of(Secret.of(decoded(credentials[1]))) : Optional.empty();
        String path = uri.getPath() == null ? "" : uri.getPath();
        String database = path.length() > 1 ? path.substring(1) : user.orElse("postgres");
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        return Optional.of(new DatabaseUrl(uri.getHost(), port, database, user, password, query(uri)));
    }

    /**
     * Returns the same target with a password where the DSN has none.
     *
     * @param fallback password to use
     * @return this DSN if it has a password
     */
    public DatabaseUrl withPasswordIfAbsent(Secret fallback) {
        return password.isPresent()
                ? this
                : new DatabaseUrl(host, port, database, user, Optional.of(fallback), parameters);
    }

    /**
     * Returns the DSN again, with its clear password inside the wrapper.
     *
     * @return an equivalent text with percent-encoded parts
     */
    public Secret dsn() {
        StringBuilder dsn = new StringBuilder("postgresql://");
        user.ifPresent(name -> {
            dsn.append(encoded(name));
            password.ifPresent(secret -> dsn.append(':').append(encoded(secret.reveal())));
            dsn.append('@');
        });
        dsn.append(host).append(':').append(port).append('/').append(encoded(database));
        char separator = '?';
        for (Map.Entry<String, String> parameter : new TreeMap<>(parameters).entrySet()) {
            dsn.append(separator)
                    .append(encoded(parameter.getKey()))
                    .append('=')
                    .append(encoded(parameter.getValue()));
            separator = '&';
        }
        return Secret.of(dsn.toString());
    }

    /**
     * Returns the JDBC address, which carries no credentials.
     *
     * @return {@code jdbc:postgresql://host:port/database}
     */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + encoded(database);
    }

    /**
     * Returns the driver properties, which carry the clear password.
     *
     * @return a fresh object with user, password and parameters
     */
    public Properties driverProperties() {
        Properties properties = new Properties();
        parameters.forEach(properties::setProperty);
        user.ifPresent(name -> properties.setProperty("user", name));
        password.ifPresent(secret -> properties.setProperty("password", secret.reveal()));
        return properties;
    }

    @Override
    public String toString() {
        return "postgresql://"
                + user.map(name -> name + (password.isPresent() ? ":" + Secret.MASK : "") + "@")
                        .orElse("") + host + ":" + port + "/" + database;
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (uri.getRawQuery() != null) {
            for (String pair : uri.getRawQuery().split("&", -1)) {
                String[] sides = pair.split("=", 2);
                if (!sides[0].isEmpty()) {
                    parameters.put(decoded(sides[0]), sides.length > 1 ? decoded(sides[1]) : "");
                }
            }
        }
        return parameters;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}

package org.prismpool.sharewriter.postgres;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Where the database is: a {@code postgres://} or {@code postgresql://} address as libpq reads it, made fit for JDBC.
 *
 * <p>Immutable. The password never shows in {@link #toString()}.
 */
public final class PostgresTarget {

    private final String hosts;
    private final String database;
    private final Optional<String> user;
    private final Optional<String> password;
    private final Map<String, String> parameters;

    private PostgresTarget(
            String hosts,
            String database,
            Optional<String> user,
            Optional<String> password,
            Map<String, String> parameters) {
        this.hosts = hosts;
        this.database = database;
        this.user = user;
        this.password = password;
        this.parameters = parameters;
    }

    /**
     * Reads an address: percent-encoded parts, several hosts, IPv6 in brackets, parameters after a question mark; a
     * {@code jdbc:} prefix is accepted.
     *
     * @param address the address
     * @return the target
     * @throws IllegalArgumentException for another scheme or a broken escape; never quotes the address
     */
    public static PostgresTarget parse(String address) {
        String rest = address.trim();
        if (rest.startsWith("jdbc:")) {
            rest = rest.substring(5);
        }
        if (rest.startsWith("postgresql://")) {
            rest = rest.substring(13);
        } else if (rest.startsWith("postgres://")) {
            rest = rest.substring(11);
        } else {
            throw new IllegalArgumentException("database URL must start with postgres:// or postgresql://");
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        int question = rest.indexOf('?');
        if (question >= 0) {
            parse(rest.substring(question + 1), parameters);
            rest = rest.substring(0, question);
        }
        int slash = rest.indexOf('/');
        String authority = slash >= 0 ? rest.substring(0, slash) : rest;
        String database = slash >= 0 ? decode(rest.substring(slash + 1)) : "";
        Optional<String> user = Optional.empty();
        Optional<String> password = Optional.empty();
        int at = authority.lastIndexOf('@');
        if (at >= 0) {
            String account = authority.substring(0, at);
            authority = authority.substring(at + 1);
            int colon = account.indexOf(':');
            user = nonEmpty(decode(colon >= 0 ? account.substring(0, colon) : account));
            password = colon >= 0 ? nonEmpty(decode(account.substring(colon + 1))) : Optional.empty();
        }
        user = first(parameters.remove("user"), user);
        password = first(parameters.remove("password"), password);
        String named = parameters.remove("dbname");
        if (named != null) {
            database = named;
        }
        String hosts = hosts(authority, parameters);
        return new PostgresTarget(hosts, database, user, password, Map.copyOf(parameters));
    }

    /**
     * Returns the JDBC address, without account and parameters.
     *
     * @return address for the driver
     */
    public String jdbcUrl() {
        String name = database.isEmpty() ? user.orElse("postgres") : database;
        return "jdbc:postgresql://" + hosts + "/"
                + java.net.URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns the same server and account with another database. */
    PostgresTarget withDatabase(String name) {
        return new PostgresTarget(hosts, name, user, password, parameters);
    }

    /**
     * Returns account and parameters in the driver's names.
     *
     * @return a new, mutable set of properties
     */
    Properties properties() {
        Properties properties = new Properties();
        user.ifPresent(value -> properties.setProperty("user", value));
        password.ifPresent(value -> properties.setProperty("password", value));
        parameters.forEach((name, value) -> {
            switch (name) {
                case "connect_timeout" -> properties.setProperty("connectTimeout", value);
                case "application_name", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count" -> {
                    // ours: the lease needs its own application name, keepalives are set on every session
                }
                case "target_session_attrs" -> properties.setProperty("targetServerType", serverType(value));
                default -> properties.setProperty(name, value);
            }
        });
        return properties;
    }

    @Override
    public String toString() {
        return "PostgresTarget[" + hosts + "/" + database + "]";
    }

    private static String serverType(String attributes) {
        return switch (attributes) {
            case "read-write", "primary" -> "primary";
            case "read-only", "standby" -> "secondary";
            case "prefer-standby" -> "preferSecondary";
            default -> "any";
        };
    }

    /** Hosts of the authority, or of the host and port parameters, each with its port. */
    private static String hosts(String authority, Map<String, String> parameters) {
        String host = parameters.remove("host");
        String port = parameters.remove("port");
        List<String> result = new ArrayList<>();
        String[] names = (host == null ? authority : host).split(",", -1);
        String[] ports = port == null ? new String[0] : port.split(",", -1);
        for (int i = 0; i < names.length; i++) {
            String name = decode(names[i]);
            if (name.startsWith("/")) {
                throw new IllegalArgumentException("database URL names a local socket directory; a host is needed");
            }
            if (name.isEmpty()) {
                name = "localhost";
            }
            String own = ports.length == 0 ? "" : ports[Math.min(i, ports.length - 1)];
            boolean hasPort = name.lastIndexOf(':') > name.lastIndexOf(']');
            result.add(own.isEmpty() || hasPort ? name : name + ":" + own);
        }
        return String.join(",", result);
    }

    private static void parse(String query, Map<String, String> into) {
        for (String pair : query.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException("database URL has a parameter without a value");
                }
                into.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
            }
        }
    }

    private static String decode(String part) {
        try {
            // libpq does not read a plus sign as a blank
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException broken) {
            throw new IllegalArgumentException("database URL has a broken percent escape");
        }
    }

    private static Optional<String> nonEmpty(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    private static Optional<String> first(@org.jspecify.annotations.Nullable String override, Optional<String> value) {
        return override == null ? value : Optional.of(override);
    }
}

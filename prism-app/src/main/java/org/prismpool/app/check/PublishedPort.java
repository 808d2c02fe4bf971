package org.prismpool.app.check;

import java.util.Optional;

/**
 * Where a port can be reached from outside its container.
 *
 * @param host address
 * @param port port
 */
record PublishedPort(String host, int port) {

    private static final int MOST = 65_535;

    /** Reads {@code PORT} or {@code HOST:PORT}; empty for nothing, port 0 and anything else. */
    static Optional<PublishedPort> parse(String mapping) {
        String text = mapping.strip();
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon);
        String port = text.substring(colon + 1);
        if (!port.matches("[0-9]{1,5}") || host.isEmpty()) {
            return Optional.empty();
        }
        int number = Integer.parseInt(port);
        if (number < 1 || number > MOST) {
            return Optional.empty();
        }
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        return Optional.of(new PublishedPort(bracketed ? host.substring(1, host.length() - 1) : host, number));
    }

    /** The address to connect to: a wildcard is reached over loopback. */
    String connectHost() {
        return host.equals("0.0.0.0") || host.equals("::") || host.equals("*") ? "127.0.0.1" : host;
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}

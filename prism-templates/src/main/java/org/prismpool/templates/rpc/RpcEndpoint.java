package org.prismpool.templates.rpc;

import java.net.URI;
import java.time.Duration;

/**
 * Where a node's RPC is and how it is used.
 *
 * @param host host name or address, IPv6 without brackets
 * @param port TCP port
 * @param credentials user and password, or the cookie file
 * @param callTimeout longest time of a call unless its caller allows less; 10 s by default
 * @param submitTimeout the same for {@code submitblock}; 1 s by default
 * @param maxConnections reads at the same time; 8 by default; a block submission and a tip wait have connections of
 *     their own beside these
 */
public record RpcEndpoint(
        String host,
        int port,
        RpcCredentials credentials,
        Duration callTimeout,
        Duration submitTimeout,
        int maxConnections) {

    /** Default of {@link #callTimeout()}. */
    public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(10);

    /** Default of {@link #submitTimeout()}. */
    public static final Duration DEFAULT_SUBMIT_TIMEOUT = Duration.ofSeconds(1);

    /** Default of {@link #maxConnections()}. */
    public static final int DEFAULT_CONNECTIONS = 8;

    /** Checks the ranges. */
    public RpcEndpoint {
        if (host.isBlank() || port < 1 || port > 65_535) {
            throw new IllegalArgumentException("an RPC endpoint has a host and a port from 1 to 65535");
        }
        if (callTimeout.isNegative() || callTimeout.isZero() || submitTimeout.isNegative() || submitTimeout.isZero()) {
            throw new IllegalArgumentException("RPC timeouts are more than zero");
        }
        if (maxConnections < 1) {
            throw new IllegalArgumentException("an RPC endpoint needs at least one connection");
        }
    }

    /**
     * Creates an endpoint with default limits.
     *
     * @param host host name or address
     * @param port TCP port
     * @param credentials user and password, or the cookie file
     * @return the endpoint
     */
    public static RpcEndpoint of(String host, int port, RpcCredentials credentials) {
        return new RpcEndpoint(
                host, port, credentials, DEFAULT_CALL_TIMEOUT, DEFAULT_SUBMIT_TIMEOUT, DEFAULT_CONNECTIONS);
    }

    /**
     * Reads one entry of the list of further submission nodes.
     *
     * @param url {@code http://user:password@host:port}
     * @param submitTimeout longest time of a submission
     * @return the endpoint
     * @throws IllegalArgumentException if the URL has another form; the message does not repeat it
     */
    public static RpcEndpoint parse(String url, Duration submitTimeout) {
        URI uri;
        try {
            uri = URI.create(url.strip());
        } catch (IllegalArgumentException malformed) {
            // The cause would show the password.
            throw new IllegalArgumentException("submission URL is malformed");
        }
        String userInfo = uri.getUserInfo();
        boolean plain = "http".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() > 0;
        boolean root = uri.getPath() == null || uri.getPath().isEmpty() || "/".equals(uri.getPath());
        if (!plain || !root || userInfo == null || userInfo.indexOf(':') < 1) {
            throw new IllegalArgumentException("submission URL must be http://user:password@host:port");
        }
        int colon = userInfo.indexOf(':');
        RpcCredentials credentials =
                new RpcCredentials.UserPassword(userInfo.substring(0, colon), userInfo.substring(colon + 1));
        String host = uri.getHost();
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return new RpcEndpoint(
                bare, uri.getPort(), credentials, DEFAULT_CALL_TIMEOUT, submitTimeout, DEFAULT_CONNECTIONS);
    }

    /**
     * Names the endpoint for logs.
     *
     * @return host and port, without credentials
     */
    public String label() {
        return host + ":" + port;
    }
}

package org.prismpool.app.devnode;

/**
 * Settings of the HTTP front of a development node.
 *
 * @param host address to bind
 * @param port TCP port; 0 picks a free one
 * @param user user name of the basic authentication
 * @param password its password
 * @param controlEnabled whether {@code POST /control} steers faults and the chain; for tests only
 */
public record DevNodeHttpConfig(String host, int port, String user, String password, boolean controlEnabled) {

    /** Checks the ranges. */
    public DevNodeHttpConfig {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be in 0..65535");
        }
        if (user.isEmpty() || user.indexOf(':') >= 0) {
            throw new IllegalArgumentException("user must not be empty or contain a colon");
        }
    }

    /**
     * Returns settings for this machine only, on a free port, without the control path.
     *
     * @param user user name
     * @param password password
     * @return the settings
     */
    public static DevNodeHttpConfig onLoopback(String user, String password) {
        return new DevNodeHttpConfig("127.0.0.1", 0, user, password, false);
    }

    /**
     * Returns a copy on another port.
     *
     * @param value TCP port; 0 picks a free one
     * @return the copy
     */
    public DevNodeHttpConfig withPort(int value) {
        return new DevNodeHttpConfig(host, value, user, password, controlEnabled);
    }

    /**
     * Returns a copy with the control path on or off.
     *
     * @param value whether it is on
     * @return the copy
     */
    public DevNodeHttpConfig withControlEnabled(boolean value) {
        return new DevNodeHttpConfig(host, port, user, password, value);
    }

    /** Returns the settings without the password. */
    @Override
    public String toString() {
        return "DevNodeHttpConfig[" + host + ":" + port + ", user=" + user + ", control=" + controlEnabled + "]";
    }
}

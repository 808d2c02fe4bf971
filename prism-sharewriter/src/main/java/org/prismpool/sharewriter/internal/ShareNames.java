package org.prismpool.sharewriter.internal;

/** Names inside a share id, which is {@code <username>:<block hash>}. */
public final class ShareNames {

    /** Length of the hash and the colon before it. */
    public static final int SUFFIX = 65;

    private static final String UNNAMED = "default";

    private ShareNames() {}

    /**
     * Returns the username of a share.
     *
     * @param shareId share id
     * @return what is before the last colon, all of it without one
     */
    public static String username(String shareId) {
        int colon = shareId.lastIndexOf(':');
        return colon < 0 ? shareId : shareId.substring(0, colon);
    }

    /**
     * Returns the name of a worker as its miner's pages show it.
     *
     * @param recipientId miner
     * @param username stratum username
     * @return what follows the miner, else what follows the first dot, else {@code default}
     */
    public static String worker(String recipientId, String username) {
        String name = "";
        if (username.startsWith(recipientId + ".")) {
            name = username.substring(recipientId.length() + 1);
        } else if (username.indexOf('.') >= 0 && !username.equals(recipientId)) {
            name = username.substring(username.indexOf('.') + 1);
        }
        return name.isEmpty() ? UNNAMED : name;
    }
}

package org.prismpool.app.publicapi.model;

import java.util.Optional;

/**
 * Links to a block explorer.
 *
 * @param transactions address that a transaction id is appended to, empty for no links
 * @param blocks address that a block hash is appended to, empty for no links
 */
public record ExplorerLinks(Optional<String> transactions, Optional<String> blocks) {

    /** No links at all. */
    public static final ExplorerLinks NONE = new ExplorerLinks(Optional.empty(), Optional.empty());

    /** Takes trailing slashes off. */
    public ExplorerLinks {
        transactions = transactions.map(ExplorerLinks::withoutSlashes).filter(prefix -> !prefix.isEmpty());
        blocks = blocks.map(ExplorerLinks::withoutSlashes).filter(prefix -> !prefix.isEmpty());
    }

    Optional<String> transaction(String txid) {
        return transactions.map(prefix -> prefix + "/" + txid);
    }

    Optional<String> block(String hash) {
        return blocks.map(prefix -> prefix + "/" + hash);
    }

    private static String withoutSlashes(String prefix) {
        int end = prefix.length();
        while (end > 0 && prefix.charAt(end - 1) == '/') {
            end--;
        }
        return prefix.substring(0, end);
    }
}

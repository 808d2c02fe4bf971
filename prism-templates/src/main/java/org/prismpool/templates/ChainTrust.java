package org.prismpool.templates;

import java.util.Optional;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.ChainInfo;

/**
 * Whether the node's view of the chain may decide about payouts at this moment.
 *
 * @param distrust why not; empty if the view is trusted
 */
public record ChainTrust(Optional<String> distrust) {

    /**
     * Judges the node's own report (spec 03 §2). Never to be cached.
     *
     * @param network network of the node
     * @param info report of this moment
     * @return the judgement
     */
    public static ChainTrust of(Network network, ChainInfo info) {
        boolean syncing = network.isPublic()
                ? !info.initialDownload().equals(Optional.of(false))
                : info.initialDownload().orElse(false);
        if (syncing) {
            String hint = network.isPublic() ? "" : "; a regtest node says so until it has a block younger than 24 h";
            return distrusted("initialblockdownload is not false" + hint);
        }
        if (!info.blocks().equals(info.headers())) {
            return distrusted("headers are not equal to blocks");
        }
        boolean negative = info.blocks().orElse(0) < 0;
        boolean missing = info.blocks().isEmpty() && network.isPublic();
        return negative || missing
                ? distrusted("blocks and headers are missing or negative")
                : new ChainTrust(Optional.empty());
    }

    static ChainTrust distrusted(String reason) {
        return new ChainTrust(Optional.of(reason));
    }

    /**
     * Tells whether payouts may be decided.
     *
     * @return true if trusted
     */
    public boolean trusted() {
        return distrust.isEmpty();
    }
}

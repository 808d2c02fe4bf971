package org.prismpool.app.devnode.validation;

import java.util.Optional;
import org.prismpool.app.devnode.chain.ChainRules;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Target;
import org.prismpool.templates.chain.VersionLayout;

/** Rules that only look at a header and its ancestors. */
public final class HeaderChecks {

    private final ChainRules rules;

    /**
     * Creates the checks.
     *
     * @param rules the chain's parameters
     */
    public HeaderChecks(ChainRules rules) {
        this.rules = rules;
    }

    /**
     * Checks the proof of work against the header's own bits.
     *
     * @param header a header
     * @return {@code high-hash}, or empty
     */
    public Optional<String> proofOfWork(BlockHeader header) {
        Target target;
        try {
            target = CompactTarget.ofBits(header.bits()).target();
        } catch (IllegalArgumentException e) {
            return Optional.of("high-hash");
        }
        boolean passes = target.compareTo(rules.powLimit()) <= 0 && target.isMetBy(header.hash());
        return passes ? Optional.empty() : Optional.of("high-hash");
    }

    /**
     * Checks a header against its parent and the clock.
     *
     * @param header a header
     * @param parent its parent
     * @param nowSeconds the node's clock, seconds since 1970
     * @return the first broken rule: bits, median time, clock, version; or empty
     */
    public Optional<String> againstParent(BlockHeader header, IndexedBlock parent, long nowSeconds) {
        if (header.bits() != rules.nextBits(parent)) {
            return Optional.of("bad-diffbits");
        }
        if (header.time() <= parent.medianTimePast()) {
            return Optional.of("time-too-old");
        }
        int limit = rules.network().futureTimeLimitSeconds(parent.height() + 1L);
        if (header.time() > nowSeconds + limit) {
            return Optional.of("time-too-new");
        }
        return VersionLayout.rejection(header.version());
    }
}

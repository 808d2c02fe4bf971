package org.prismpool.app.composition.block;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.prismpool.templates.chain.Hash256;

/**
 * Solves between their commit and their offer, so that the candidate in memory is the very one whose intent was stored: same
 * bytes, same stamp, assembled once.
 *
 * <p>Thread-safe. Holds a few at most, the oldest going first: one that is missing is prepared again.
 */
public final class PreparedSolves {

    private static final int LIMIT = 16; // each may hold a whole block and its payout window

    private final Map<Hash256, Solves.Prepared> solves = new LinkedHashMap<>(); // guarded by this

    synchronized void keep(Solves.Prepared prepared) {
        solves.remove(prepared.candidate().hash());
        solves.put(prepared.candidate().hash(), prepared);
        if (solves.size() > LIMIT) {
            solves.remove(solves.keySet().iterator().next());
        }
    }

    synchronized Optional<Solves.Prepared> take(Hash256 hash) {
        return Optional.ofNullable(solves.remove(hash));
    }
}

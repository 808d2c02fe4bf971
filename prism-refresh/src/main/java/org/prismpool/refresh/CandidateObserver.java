package org.prismpool.refresh;

import org.prismpool.templates.chain.Hash256;

/** Port to the owner of found blocks: a detected tip that is an own candidate proves its acceptance (spec 07 §2.6). */
@FunctionalInterface
public interface CandidateObserver {

    /**
     * Reports a hash that some source saw as the best one, before it is judged in any way.
     *
     * @param tip the hash; called on the observing thread, must not block and must not throw
     */
    void tipSeen(Hash256 tip);
}

package org.prismpool.stratum;

import java.util.concurrent.CompletionStage;
import org.prismpool.templates.chain.Hash256;

/** Port to the chain tip. Called on event loops; nothing here blocks. */
public interface TipView {

    /**
     * Returns what is known now.
     *
     * @return one consistent snapshot
     */
    TipSnapshot snapshot();

    /**
     * Asks the node for its tip, once; used when the published tip is too old to decide.
     *
     * @return stage with the tip; it fails if the node cannot be asked
     */
    CompletionStage<Hash256> liveTip();

    /**
     * Returns the parent of a tip; implementations ask the node once per tip and keep the answer.
     *
     * @param tip the published tip
     * @return stage with the parent; it fails if the node cannot be asked
     */
    CompletionStage<Hash256> parentOf(Hash256 tip);
}

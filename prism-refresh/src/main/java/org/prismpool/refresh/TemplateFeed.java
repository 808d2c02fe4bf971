package org.prismpool.refresh;

import java.io.IOException;
import java.util.Objects;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the owner of templates.
 *
 * <p>Called on the refresh owner's thread; may block until the deadline. The owner reserves the template generation
 * before it asks the node, so that a late old answer never replaces a newer one.
 *
 * @param <T> the template's type
 */
public interface TemplateFeed<T> {

    /**
     * Returns a coherent template for the observed tip: the cached one while young enough, else a fresh fetch.
     *
     * @param observedBest the best hash that the caller observed
     * @param deadline latest end of the call
     * @return a coherent snapshot, the newer tip that the fetch ran into, or why no work can be derived
     * @throws IOException if the node did not answer
     * @throws InterruptedException if the caller is interrupted
     */
    Answer<T> coherent(Hash256 observedBest, Deadline deadline) throws IOException, InterruptedException;

    /**
     * Tells whether work on a snapshot may still be built although the newest tip is another one's.
     *
     * @param snapshot the snapshot that a pass works on
     * @return true unless the owner has dropped the template
     */
    default boolean buildable(TemplateSnapshot<T> snapshot) {
        return true;
    }

    /**
     * What a fetch ended with.
     *
     * @param <T> the template's type
     */
    sealed interface Answer<T> {}

    /**
     * A coherent template.
     *
     * @param snapshot the observation
     * @param cached true if no request was made
     * @param <T> the template's type
     */
    record Coherent<T>(TemplateSnapshot<T> snapshot, boolean cached) implements Answer<T> {

        /** Checks the components. */
        public Coherent {
            Objects.requireNonNull(snapshot, "snapshot");
        }
    }

    /**
     * The template's parent and the best hash differed: the tip moved during the fetch.
     *
     * @param bestHash the best hash after the fetch
     * @param <T> the template's type
     */
    record Diverged<T>(Hash256 bestHash) implements Answer<T> {

        /** Checks the component. */
        public Diverged {
            Objects.requireNonNull(bestHash, "bestHash");
        }
    }

    /**
     * The node's template cannot be turned into exact work.
     *
     * @param reason what is wrong with it
     * @param <T> the template's type
     */
    record Unusable<T>(String reason) implements Answer<T> {

        /** Checks the component. */
        public Unusable {
            Objects.requireNonNull(reason, "reason");
        }
    }
}

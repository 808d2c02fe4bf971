package org.prismpool.templates;

import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.RpcFailure;

/** What became of fetching a template. */
public sealed interface TemplateOutcome {

    /**
     * A coherent observation, stored unless a newer one was there already.
     *
     * @param observation what this fetch saw
     * @param current the stored observation: this one, or the newer one that took its place
     */
    record Fetched(TemplateObservation observation, TemplateObservation current) implements TemplateOutcome {

        /**
         * Tells whether a later fetch overtook this one.
         *
         * @return true if the caller should work with the stored observation
         */
        public boolean overtaken() {
            return current.generation() != observation.generation();
        }
    }

    /**
     * The tip moved between template and tip; nothing was stored. Not a failure: fetch again at once.
     *
     * @param newTip tip after the fetch
     */
    record Superseded(Hash256 newTip) implements TemplateOutcome {}

    /**
     * No work can be derived from the template; nothing was stored.
     *
     * @param reason field and rule
     */
    record Blocked(String reason) implements TemplateOutcome {}

    /**
     * The node gave no template.
     *
     * @param failure why
     */
    record Unavailable(RpcFailure failure) implements TemplateOutcome {}
}

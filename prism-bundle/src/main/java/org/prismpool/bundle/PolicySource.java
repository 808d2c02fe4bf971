package org.prismpool.bundle;

import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.finalization.BuildInputs;
import org.prismpool.templates.TemplateObservation;

/**
 * Port to payout policy and settlement. Called on a preparation thread; may ask the node for a fee rate and block until
 * the deadline.
 */
@FunctionalInterface
public interface PolicySource {

    /**
     * Returns the rules that work on a template is built under; the same parent always gets the same rules.
     *
     * @param template template of the work
     * @param deadline longest wait
     * @param cancel raised when the work is no longer wanted
     * @return policy and settlement input, frozen into the work and into the candidate of a block found with it
     * @throws RuntimeException if no fee rate can be had; nothing is built then
     */
    BuildInputs inputsFor(TemplateObservation template, Deadline deadline, CancelSignal cancel);
}

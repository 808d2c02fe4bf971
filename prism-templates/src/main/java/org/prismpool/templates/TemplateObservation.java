package org.prismpool.templates;

import java.math.BigInteger;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.ScaledDifficulty;
import org.prismpool.templates.job.CoinbaseSplit;
import org.prismpool.templates.job.WorkTemplate;

/**
 * One coherent look at the node's template, with everything that is derived from it.
 *
 * <p>Immutable and thread-safe. A refresh works with exactly the observation it made, even when a newer one has been
 * stored meanwhile.
 *
 * @param generation process-wide number, reserved before the fetch started: later fetches have larger ones
 * @param fingerprint identity apart from the clock
 * @param template checked and parsed template
 * @param fetchedNanos monotonic time at which the fetch started
 */
public record TemplateObservation(
        long generation, TemplateFingerprint fingerprint, BlockTemplate template, long fetchedNanos) {

    /**
     * Returns the block to build on.
     *
     * @return hash of the parent
     */
    public Hash256 parent() {
        return template.terms().parent();
    }

    /**
     * Returns the network difficulty as ledger and audit bundles store it.
     *
     * @return 1 or more
     */
    public BigInteger scaledNetworkDifficulty() {
        return ScaledDifficulty.of(template.terms().bits().target());
    }

    /**
     * Binds a coinbase to this observation.
     *
     * @param coinbase coinbase of a bundle that was built for this template
     * @return work for miners
     */
    public WorkTemplate work(CoinbaseSplit coinbase) {
        return new WorkTemplate(template.terms(), template.transactions(), coinbase, generation, fingerprint.hex());
    }

    @Override
    public String toString() {
        return "TemplateObservation[generation " + generation + ", height "
                + template.terms().height() + ", " + template.transactions().count() + " transactions]";
    }
}

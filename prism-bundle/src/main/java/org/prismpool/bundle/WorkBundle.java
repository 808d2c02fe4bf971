package org.prismpool.bundle;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.payout.coinbase.SignedCoinbaseManifest;
import org.prismpool.payout.finalization.IntentWork;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.job.WorkTemplate;

/**
 * One finished piece of work: what every job of a template and payout generation is stamped from, and what a block found
 * with it is accounted from. Immutable.
 *
 * @param key everything it was built from
 * @param template template that it was built on, this very object
 * @param work the shared part of its jobs
 * @param coinbase signed manifest of the coinbase with placeholder extranonces
 * @param inputs frozen inputs that the candidate intent of a found block carries
 * @param builtNanos monotonic time at which the build ended
 */
public record WorkBundle(
        BuildKey key,
        TemplateObservation template,
        WorkTemplate work,
        SignedCoinbaseManifest coinbase,
        IntentWork inputs,
        long builtNanos) {

    /** Checks the components. */
    public WorkBundle {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(template, "template");
        Objects.requireNonNull(work, "work");
        Objects.requireNonNull(coinbase, "coinbase");
        Objects.requireNonNull(inputs, "inputs");
    }

    /**
     * Tells whether the bundle pays one solver only.
     *
     * @return true for collection work
     */
    public boolean collectionOnly() {
        return key.mode() == BundleMode.COLLECTION;
    }

    /**
     * Returns the payout generation that it may be delivered under.
     *
     * @return payout generation
     */
    public long payoutGeneration() {
        return key.payout().generation();
    }

    /**
     * Returns the digest of the balances that it was built from.
     *
     * @return payout artifact digest
     */
    public String payoutDigest() {
        return key.payout().digest();
    }

    /**
     * Returns the append epoch that its window was read under.
     *
     * @return append epoch; 0 for collection work, which is exempt
     */
    public long appendEpoch() {
        return key.payout().appendEpoch();
    }

    /**
     * Returns the found-block descriptor of a block found with it.
     *
     * @return height, value, difficulty and anchor
     */
    public FoundBlock foundBlock() {
        return inputs.foundBlock();
    }

    /**
     * Returns the issue time of its jobs.
     *
     * @return milliseconds since the epoch
     */
    public long issuedAtMs() {
        return key.issuedAtMs();
    }

    /**
     * Returns the identity that collection work pays.
     *
     * @return empty for ready work
     */
    public Optional<CollectionIdentity> identity() {
        return key.identity();
    }

    /**
     * Returns the witness ids that the coinbase commits to.
     *
     * @return lower-case hex, internal byte order, without the coinbase
     */
    public List<String> witnessLeavesHex() {
        return inputs.witnessLeavesHex();
    }

    /**
     * Returns the same work on a newer observation of the same template: payouts stay, the clock moves.
     *
     * @param newKey key on that observation
     * @param newer observation that differs in time only
     * @return the rebound bundle
     * @throws IllegalArgumentException if anything but the time differs
     */
    public WorkBundle boundTo(BuildKey newKey, TemplateObservation newer) {
        return new WorkBundle(
                newKey,
                newer,
                work.rebound(newer.template().terms(), newer.generation()),
                coinbase,
                inputs,
                builtNanos);
    }
}

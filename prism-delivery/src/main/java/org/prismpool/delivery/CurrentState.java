package org.prismpool.delivery;

import java.util.Objects;
import java.util.Optional;

/**
 * What is current at one instant, for the checks of a commit.
 *
 * @param published what is published; empty before the first publication
 * @param authoritative true iff the published tip decides without asking the node
 * @param detectedTip newest live tip
 * @param payout payout facts
 * @param ready true iff the pool hands out ready work
 * @param epoch refresh epoch; empty outside the epoch mode
 */
public record CurrentState(
        Optional<Published> published,
        boolean authoritative,
        Optional<String> detectedTip,
        Payout payout,
        boolean ready,
        Optional<Epoch> epoch) {

    /** Checks the components. */
    public CurrentState {
        Objects.requireNonNull(published, "published");
        Objects.requireNonNull(detectedTip, "detectedTip");
        Objects.requireNonNull(payout, "payout");
        Objects.requireNonNull(epoch, "epoch");
    }

    /**
     * Tells whether a live tip was seen that is not published.
     *
     * @return true iff both are known and differ
     */
    public boolean diverged() {
        return published.isPresent()
                && detectedTip.isPresent()
                && !detectedTip.get().equals(published.get().tip());
    }

    /**
     * Tells whether work pays what is published now.
     *
     * @param key the work
     * @return true iff generation and digest are equal and, for ready work, the append epoch too
     */
    public boolean pays(WorkKey key) {
        return key.payoutGeneration() == payout.generation()
                && payout.digest().map(key.payoutDigest()::equals).orElse(true)
                && (key.collection() || key.appendEpoch() == payout.appendEpoch());
    }

    /**
     * The published snapshot.
     *
     * @param tip the tip
     * @param fingerprint its template's fingerprint
     * @param templateGeneration its template's generation
     */
    public record Published(String tip, String fingerprint, long templateGeneration) {

        /** Checks the components. */
        public Published {
            Objects.requireNonNull(tip, "tip");
            Objects.requireNonNull(fingerprint, "fingerprint");
        }
    }

    /**
     * The published payout state.
     *
     * @param generation payout generation
     * @param digest digest of the prior balances; empty if not known
     * @param appendEpoch append-invalidation epoch
     */
    public record Payout(long generation, Optional<String> digest, long appendEpoch) {

        /** Checks the component. */
        public Payout {
            Objects.requireNonNull(digest, "digest");
        }
    }

    /**
     * The current refresh epoch.
     *
     * @param sequence one or more
     * @param tip tip of the epoch's work
     * @param payoutGeneration payout generation of the epoch's work
     */
    public record Epoch(long sequence, String tip, long payoutGeneration) {

        /** Checks the component. */
        public Epoch {
            Objects.requireNonNull(tip, "tip");
        }
    }
}

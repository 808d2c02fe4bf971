package org.prismpool.payout.state;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.payout.reward.PriorBalance;

/**
 * A payout state that wants to be published. It publishes only while both generations that it names are current.
 *
 * @param baseGeneration payout generation that it replaces
 * @param source source that its balances belong to
 * @param preview prospective balances of an accepted block; they win over every other source of balances
 * @param window prepared window whose balances are used when there is no preview
 */
public record PayoutCandidate(
        long baseGeneration,
        PayoutSource source,
        Optional<List<PriorBalance>> preview,
        Optional<PreparedWindow> window) {

    /** Checks and copies the components. */
    public PayoutCandidate {
        Objects.requireNonNull(source, "source");
        preview = preview.map(List::copyOf);
        Objects.requireNonNull(window, "window");
    }

    /**
     * Names the current state with no balances of its own; the publication reads them from the ledger.
     *
     * @param base published state to replace
     * @param source current source
     * @return the candidate
     */
    public static PayoutCandidate fromLedger(PublishedPayout base, PayoutSource source) {
        return new PayoutCandidate(base.generation(), source, Optional.empty(), Optional.empty());
    }

    /**
     * Returns this candidate with prospective balances.
     *
     * @param balances balances after the accepted block
     * @return the candidate
     */
    public PayoutCandidate withPreview(List<PriorBalance> balances) {
        return new PayoutCandidate(baseGeneration, source, Optional.of(balances), window);
    }

    /**
     * Returns this candidate with a prepared window.
     *
     * @param prepared window whose balances are to be published
     * @return the candidate
     */
    public PayoutCandidate withWindow(PreparedWindow prepared) {
        return new PayoutCandidate(baseGeneration, source, preview, Optional.of(prepared));
    }
}

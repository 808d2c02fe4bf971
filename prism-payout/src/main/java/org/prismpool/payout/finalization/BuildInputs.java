package org.prismpool.payout.finalization;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.payout.ctv.CtvSettlement;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.reward.PayoutPolicy;

/**
 * The rules that one piece of work was built under. They travel with a found block, so that its bundle is rebuilt from
 * them and never from the configuration of a later moment (spec 03 §6.3, 05 §4).
 *
 * @param payoutPolicy payout policy
 * @param ctvSettlement settlement input, fee rate included; empty when settlement is off
 */
public record BuildInputs(PayoutPolicy payoutPolicy, Optional<CtvSettlement> ctvSettlement) {

    /** Checks the components. */
    public BuildInputs {
        Objects.requireNonNull(payoutPolicy, "payoutPolicy");
        Objects.requireNonNull(ctvSettlement, "ctvSettlement");
    }

    /**
     * Returns the payout policy as the builder takes it.
     *
     * @return compact canonical JSON
     */
    public String payoutPolicyJson() {
        return new String(CanonicalWriter.bytesOf(payoutPolicy::write), StandardCharsets.UTF_8);
    }

    /**
     * Returns the settlement input as the builder takes it.
     *
     * @return compact canonical JSON, or empty when settlement is off
     */
    public Optional<String> ctvSettlementJson() {
        return ctvSettlement.map(
                settlement -> new String(CanonicalWriter.bytesOf(settlement::write), StandardCharsets.UTF_8));
    }

    /**
     * Digests the payout policy.
     *
     * @return SHA-256 of its canonical JSON, lower-case hex
     */
    public String payoutPolicySha256() {
        return Sha256.hex(CanonicalWriter.bytesOf(payoutPolicy::write));
    }

    /**
     * Digests the settlement input.
     *
     * @return SHA-256 of its canonical JSON, lower-case hex, or empty when settlement is off
     */
    public Optional<String> ctvSettlementSha256() {
        return ctvSettlement.map(settlement -> Sha256.hex(CanonicalWriter.bytesOf(settlement::write)));
    }
}

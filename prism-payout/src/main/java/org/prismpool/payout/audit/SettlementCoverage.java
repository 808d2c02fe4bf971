package org.prismpool.payout.audit;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.ctv.SettlementDecision;
import org.prismpool.payout.ctv.SettlementRecipient;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.window.WeightedEntitlement;

/** Checks that a settlement pays exactly whom the policy says, each once and in full. */
final class SettlementCoverage {

    private SettlementCoverage() {}

    static void check(PayoutPolicyManifest policy, SettlementDecision decision, Optional<FanoutManifestSet> set) {
        Map<SettlementRecipient, Integer> open = new HashMap<>();
        for (WeightedEntitlement each : policy.onchainEntitlements()) {
            open.merge(new SettlementRecipient(each.identity(), each.weight().low()), 1, Integer::sum);
        }
        for (SettlementRecipient each : decision.directRecipients()) {
            settle(open, each);
        }
        set.stream()
                .flatMap(each -> each.manifests().stream())
                .flatMap(manifest -> manifest.precommitment().outputs().stream())
                .forEach(output -> settle(open, new SettlementRecipient(output.identity(), output.settledGrossSats())));
        if (!open.isEmpty()) {
            throw AuditVerifier.mismatch("ctv_settlement_coverage");
        }
    }

    private static void settle(Map<SettlementRecipient, Integer> open, SettlementRecipient recipient) {
        Integer count = open.get(recipient);
        if (count == null) {
            throw AuditVerifier.mismatch("ctv_settlement_coverage");
        }
        if (count == 1) {
            open.remove(recipient);
        } else {
            open.put(recipient, count - 1);
        }
    }
}

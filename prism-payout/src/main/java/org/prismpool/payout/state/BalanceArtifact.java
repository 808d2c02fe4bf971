package org.prismpool.payout.state;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.reward.PriorBalance;

/**
 * Prior balances of one payout generation with the digest that every serving decision compares.
 *
 * @param balances balances in the ledger's order (order key, recipient, program)
 * @param digest SHA-256, lower-case hex, of the balances as compact JSON with sorted member names (spec 07 §1.2)
 */
public record BalanceArtifact(List<PriorBalance> balances, String digest) {

    /** The artifact of a pool that owes nothing. */
    public static final BalanceArtifact EMPTY = of(List.of());

    /** Copies the balances and checks the digest's form. */
    public BalanceArtifact {
        balances = List.copyOf(balances);
        if (digest.length() != 64) {
            throw new IllegalArgumentException("a balance digest has 64 hex digits");
        }
    }

    /**
     * Digests balances.
     *
     * @param balances balances in the ledger's order
     * @return the artifact
     */
    public static BalanceArtifact of(List<PriorBalance> balances) {
        List<Map<String, @Nullable Object>> documents =
                balances.stream().map(BalanceArtifact::members).toList();
        return new BalanceArtifact(balances, JsonTree.sortedAsciiSha256(documents));
    }

    private static Map<String, @Nullable Object> members(PriorBalance balance) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        members.put("balance_sats", balance.balanceSats());
        members.put("order_key", balance.identity().orderKey());
        members.put("p2mr_program_hex", balance.identity().programHex());
        members.put("recipient_id", balance.identity().recipientId());
        return members;
    }
}

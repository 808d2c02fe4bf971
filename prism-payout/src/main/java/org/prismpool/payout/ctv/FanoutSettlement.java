package org.prismpool.payout.ctv;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PayoutAccount;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PoolFee;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WeightedEntitlement;

/** Applies a settlement decision to a payout policy: the decision itself, the fees that accounts disclose, the payouts. */
public final class FanoutSettlement {

    private FanoutSettlement() {}

    /**
     * Decides how the entitlements of a policy are settled.
     *
     * @param policy the policy manifest, before fees
     * @param settlement the settlement input
     * @return the decision
     * @throws PayoutRuleException with the contract text of the first rule that is broken; also for a program that is not
     *     in lower case, because no verifier could accept such a bundle
     */
    public static SettlementDecision decide(PayoutPolicyManifest policy, CtvSettlement settlement) {
        List<SettlementRecipient> recipients = new ArrayList<>();
        for (WeightedEntitlement each : policy.onchainEntitlements()) {
            recipients.add(
                    new SettlementRecipient(each.identity(), each.weight().low()));
        }
        SettlementDecision decision =
                FanoutPartition.decide(recipients, settlement.directFloorSats(), settlement.config(), pinned(policy));
        for (SettlementRecipient each : recipients) {
            PayoutIdentity identity = each.identity();
            if (!identity.programKey().equals(identity.programHex())) {
                throw CtvErrors.settlement(
                        "recipient " + identity.recipientId() + " p2mr_program_hex must be lower case");
            }
        }
        return decision;
    }

    /**
     * Writes the fanout fees of a decision into the accounts of a policy.
     *
     * @param policy the policy manifest, before fees
     * @param decision the decision
     * @param feePolicy the rate
     * @return the policy manifest with settlement fees; amounts and carry are unchanged
     * @throws PayoutRuleException if a fee would push a recipient below the floor, or a recipient is not the account it
     *     claims to be
     */
    public static PayoutPolicyManifest withFees(
            PayoutPolicyManifest policy, SettlementDecision decision, FanoutFeePolicy feePolicy) {
        Map<PayoutIdentity, Integer> indexes = new HashMap<>();
        List<PayoutAccount> accounts = new ArrayList<>(policy.accounts());
        for (int i = 0; i < accounts.size(); i++) {
            indexes.put(accounts.get(i).identity(), i);
        }
        for (FanoutChunk chunk : decision.fanoutChunks()) {
            for (FanoutFee.Share share : shares(chunk, feePolicy, policy.minOutputSats())) {
                Integer index = indexes.get(share.identity());
                if (index == null || accounts.get(index).onchainAmountSats() != share.grossAmountSats()) {
                    throw new PayoutRuleException("audit bundle mismatch in ctv_fanout_fee_accounting");
                }
                accounts.set(index, accounts.get(index).withSettlementFee(share.feeSats()));
            }
        }
        return policy.withAccounts(accounts);
    }

    /**
     * Builds the precommitments of a decision, one for each chunk.
     *
     * @param context what every chunk commits to
     * @param decision the decision
     * @param feePolicy the rate; empty for anchored zero-fee fanouts
     * @param minOutputSats floor of the policy
     * @return the precommitments by chunk index
     * @throws PayoutRuleException with the contract text of the first rule that is broken
     */
    public static List<FanoutPrecommitment> precommitments(
            FanoutContext context,
            SettlementDecision decision,
            Optional<FanoutFeePolicy> feePolicy,
            long minOutputSats) {
        List<FanoutPrecommitment> precommitments = new ArrayList<>();
        for (FanoutChunk chunk : decision.fanoutChunks()) {
            List<FanoutFee.Share> payouts = new ArrayList<>();
            if (feePolicy.isEmpty()) {
                chunk.recipients()
                        .forEach(each -> payouts.add(
                                new FanoutFee.Share(each.identity(), each.amountSats(), 0, each.amountSats())));
            } else {
                payouts.addAll(shares(chunk, feePolicy.get(), minOutputSats));
            }
            precommitments.add(FanoutPrecommitment.build(context, chunk.chunkIndex(), payouts));
        }
        return precommitments;
    }

    /**
     * Returns what the coinbase pays: direct recipients and one covenant for each chunk.
     *
     * @param decision the decision
     * @param precommitments the precommitments
     * @return the entitlements; weights are sats
     */
    public static List<WeightedEntitlement> coinbaseEntitlements(
            SettlementDecision decision, List<FanoutPrecommitment> precommitments) {
        List<WeightedEntitlement> entitlements = new ArrayList<>();
        decision.directRecipients()
                .forEach(each ->
                        entitlements.add(new WeightedEntitlement(each.identity(), U128.ofUnsigned(each.amountSats()))));
        precommitments.forEach(each -> entitlements.add(
                new WeightedEntitlement(each.covenantIdentity(), U128.ofUnsigned(each.covenantOutputValueSats()))));
        return entitlements;
    }

    /**
     * Returns the recipient whose output the policy pins to the front of the coinbase.
     *
     * @param policy the policy manifest
     * @return the pool fee; empty if none is pinned
     */
    public static Optional<PayoutIdentity> pinned(PayoutPolicyManifest policy) {
        return policy.pinsPoolFee() ? policy.poolFee().map(PoolFee::identity) : Optional.empty();
    }

    private static List<FanoutFee.Share> shares(FanoutChunk chunk, FanoutFeePolicy feePolicy, long minOutputSats) {
        long fee = FanoutFee.estimate(chunk.recipients().size(), feePolicy);
        FanoutFee.Allocation allocation = FanoutFee.allocate(chunk.recipients(), fee, minOutputSats);
        if (!allocation.carriedForward().isEmpty()) {
            throw CtvErrors.settlement("fanout fee would push a recipient below the payout floor");
        }
        return allocation.payable();
    }
}

package org.prismpool.app.composition.settings;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.prismpool.bundle.PolicySource;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.CtvVariables;
import org.prismpool.config.variable.PayoutVariables;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.ctv.CtvSettlement;
import org.prismpool.payout.ctv.FanoutFeePolicy;
import org.prismpool.payout.ctv.SettlementLimits;
import org.prismpool.payout.finalization.BuildInputs;
import org.prismpool.payout.reward.CoinbaseOutputPolicy;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PoolFeePolicy;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.rpc.FeeEstimate;
import org.prismpool.templates.rpc.NodeRpc;

/** The payout rules that work is built under: policy from the environment, fee rate fixed or estimated once per parent. */
public final class PayoutRules implements PolicySource {

    private static final int PARENTS = 16;

    private final PayoutPolicy policy;
    private final Optional<Ctv> ctv;
    private final NodeRpc node;
    // The same parent must always get the same rules, also after a reorganisation back to it. Oldest first, guarded by
    // itself.
    private final Map<Hash256, BuildInputs> byParent = new LinkedHashMap<>();

    /** Settlement settings; the fee rate is estimated when none is configured. */
    private record Ctv(
            long directFloorSats,
            SettlementLimits limits,
            Optional<Long> marketRate,
            int targetBlocks,
            long premiumBps) {}

    public PayoutRules(Environment e, Network network, NodeRpc node) {
        this.policy = policy(e, network);
        this.ctv = ctv(e);
        this.node = node;
    }

    /** The rules without an estimate, for rows that carry none. */
    public BuildInputs configured() {
        return new BuildInputs(policy, ctv.map(c -> settlement(c, c.marketRate().orElse(1L))));
    }

    PayoutPolicy policy() {
        return policy;
    }

    @Override
    public BuildInputs inputsFor(TemplateObservation template, Deadline deadline, CancelSignal cancel) {
        return inputsFor(template.parent(), deadline, cancel);
    }

    /** The estimate is asked for outside the lock; of two that are asked for at once the first holds. */
    BuildInputs inputsFor(Hash256 parent, Deadline deadline, CancelSignal cancel) {
        synchronized (byParent) {
            BuildInputs known = byParent.get(parent);
            if (known != null) {
                return known;
            }
        }
        return keep(parent, new BuildInputs(policy, ctv.map(c -> settlement(c, marketRate(c, deadline, cancel)))));
    }

    private BuildInputs keep(Hash256 parent, BuildInputs made) {
        synchronized (byParent) {
            BuildInputs first = byParent.putIfAbsent(parent, made);
            if (byParent.size() > PARENTS) {
                byParent.remove(byParent.keySet().iterator().next());
            }
            return first == null ? made : first;
        }
    }

    private long marketRate(Ctv settings, Deadline deadline, CancelSignal cancel) {
        if (settings.marketRate().isPresent()) {
            return settings.marketRate().get();
        }
        FeeEstimate estimate = node.cancelledBy(cancel).estimateSmartFee(settings.targetBlocks(), deadline);
        return estimate.feeRate()
                .filter(rate -> rate.signum() > 0)
                .map(PayoutRules::bitsPer1000Weight)
                .orElseThrow(() -> new IllegalStateException("the node has no fee estimate " + estimate.errors()
                        + "; set PRISM_CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT"));
    }

    /** One virtual byte is one weight unit on this chain, so a rate per kvB is a rate per 1000 weight (spec 01 §5.5). */
    private static long bitsPer1000Weight(BigDecimal coinsPerKvb) {
        return coinsPerKvb.movePointRight(8).setScale(0, RoundingMode.CEILING).longValueExact();
    }

    private static CtvSettlement settlement(Ctv settings, long marketRate) {
        return new CtvSettlement(
                settings.directFloorSats(),
                settings.limits(),
                Optional.of(new FanoutFeePolicy(marketRate, settings.premiumBps())));
    }

    private static Optional<Ctv> ctv(Environment e) {
        if (!e.get(CtvVariables.CTV_SETTLEMENT_ENABLED)) {
            return Optional.empty();
        }
        return Optional.of(new Ctv(
                e.get(CtvVariables.DIRECT_COINBASE_PAYOUT_FLOOR_BITS),
                new SettlementLimits(
                        e.get(CtvVariables.MAX_COINBASE_SETTLEMENT_OUTPUTS),
                        e.get(CtvVariables.MAX_DIRECT_COINBASE_OUTPUTS),
                        e.get(CtvVariables.MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION),
                        e.get(CtvVariables.RESERVED_COINBASE_OUTPUTS)),
                e.find(CtvVariables.CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT),
                e.get(CtvVariables.CTV_FANOUT_FEE_ESTIMATE_TARGET_BLOCKS),
                e.get(CtvVariables.CTV_FANOUT_FEE_PREMIUM_BPS)));
    }

    private static PayoutPolicy policy(Environment e, Network network) {
        return new PayoutPolicy(
                e.get(PayoutVariables.PAYOUT_P2MR_SPEND_INPUT_BYTES),
                e.get(PayoutVariables.PAYOUT_TARGET_FEERATE_BITS_PER_BYTE),
                e.get(PayoutVariables.PAYOUT_SAFETY_MULTIPLIER),
                e.find(PayoutVariables.PAYOUT_MIN_OUTPUT_BITS),
                fee(e, network),
                e.get(PayoutVariables.COINBASE_OUTPUT_POLICY).equals("pool-fee-first")
                        ? CoinbaseOutputPolicy.POOL_FEE_FIRST
                        : CoinbaseOutputPolicy.CANONICAL);
    }

    private static Optional<PoolFeePolicy> fee(Environment e, Network network) {
        if (!e.get(PayoutVariables.POOL_FEE_ENABLED)) {
            return Optional.empty();
        }
        int bps = e.get(PayoutVariables.POOL_FEE_BPS);
        Optional<String> address = e.find(PayoutVariables.POOL_FEE_ADDRESS);
        if (address.isPresent()) {
            P2mrAddress decoded = P2mrAddress.decode(network, address.get())
                    .orElseThrow(() -> new IllegalArgumentException(
                            "PRISM_POOL_FEE_ADDRESS is not a P2MR address of this chain: " + address.get()));
            return Optional.of(
                    new PoolFeePolicy(bps, new PayoutIdentity(decoded.text(), decoded.text(), decoded.programHex())));
        }
        return Optional.of(new PoolFeePolicy(
                bps,
                new PayoutIdentity(
                        e.get(PayoutVariables.POOL_FEE_RECIPIENT_ID),
                        e.get(PayoutVariables.POOL_FEE_ORDER_KEY),
                        e.get(PayoutVariables.POOL_FEE_P2MR_PROGRAM_HEX))));
    }
}

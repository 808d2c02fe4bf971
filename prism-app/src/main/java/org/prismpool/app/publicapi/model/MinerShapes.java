package org.prismpool.app.publicapi.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.publicapi.model.formula.RewardShare;
import org.prismpool.app.publicapi.model.formula.WorkRate;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.read.MinerEarning;
import org.prismpool.sharewriter.read.MinerPayout;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.WorkerBoard;

/** The rows of a miner's pages. Source: spec 08 §7.7. */
final class MinerShapes {

    private MinerShapes() {}

    static Map<String, @Nullable Object> worker(WorkerBoard.Worker worker) {
        return new Members()
                .with("worker_name", worker.name())
                .with("status", worker.active() ? "active" : "inactive")
                .time("last_share_at", worker.lastShareAt())
                .decimal("hashrate_ths_60s", WorkRate.terahashes(worker.difficulty60s(), RateWindow.M1.seconds()))
                .decimal("hashrate_ths_3h", WorkRate.terahashes(worker.difficulty3h(), RateWindow.H3.seconds()))
                .map();
    }

    static Map<String, @Nullable Object> payout(MinerPayout payout, ExplorerLinks explorer) {
        Optional<MinerPayout.CovenantOutput> covenant = payout.covenantOutput();
        boolean onchain = payout.action() == PayoutAction.ONCHAIN;
        Optional<String> transaction = onchain
                ? Optional.of(
                        covenant.map(MinerPayout.CovenantOutput::fanoutTxid).orElse(payout.coinbaseTxid()))
                : Optional.empty();
        long amount = onchain
                ? covenant.map(MinerPayout.CovenantOutput::amountSats).orElse(payout.onchainSats())
                : payout.onchainSats();
        return new Members()
                .with("block_height", payout.blockHeight())
                .with("block_hash", payout.blockHash())
                .time("created_at", payout.createdAt())
                .orNull("transaction_id", transaction)
                .with("transaction_kind", kind(onchain, covenant.isPresent()))
                .with("onchain_amount_bits", amount)
                .with("carry_forward_balance_bits", payout.carryForwardSats().max(BigInteger.ZERO))
                .with("action", payout.action().text())
                .with("maturity_state", payout.maturity().text())
                .orNull("explorer_url", transaction.flatMap(explorer::transaction))
                .map();
    }

    private static String kind(boolean onchain, boolean covenant) {
        if (!onchain) {
            return "carry_forward";
        }
        return covenant ? "ctv_fanout" : "coinbase";
    }

    static Map<String, @Nullable Object> earning(MinerEarning earning, ExplorerLinks explorer) {
        return new Members()
                .with("block_height", earning.blockHeight())
                .with("block_hash", earning.blockHash())
                .time("found_at", earning.foundAt())
                .decimal(
                        "reward_share_percent",
                        RewardShare.percent(BigInteger.valueOf(earning.grossSats()), earning.blockGrossSats())
                                .orElse(BigDecimal.ZERO))
                .with("gross_earning_bits", earning.grossSats())
                .with("settlement_fee_bits", earning.settlementFeeSats())
                .with("net_earning_bits", Math.max(0, earning.grossSats() - earning.settlementFeeSats()))
                .with("maturity_state", earning.maturity().text())
                .with("settlement_artifacts_url", ArtifactLinks.settlementUrl(earning.blockHash()))
                .orNull("explorer_url", explorer.block(earning.blockHash()))
                .map();
    }
}

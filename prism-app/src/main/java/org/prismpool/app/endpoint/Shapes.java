package org.prismpool.app.endpoint;

import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.balance.BalanceRow;
import org.prismpool.sharewriter.balance.CarryDrift;
import org.prismpool.sharewriter.balance.CarryMismatch;
import org.prismpool.sharewriter.balance.CarryRow;
import org.prismpool.sharewriter.block.PaidRow;
import org.prismpool.sharewriter.block.PayoutRow;
import org.prismpool.sharewriter.block.PoolBlock;

/** The rows of private documents. Source: spec 08 §7.3. */
final class Shapes {

    /** Time as the database writes it as text. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSx").withZone(ZoneOffset.UTC);

    private Shapes() {}

    static Map<String, Object> owed(BalanceRow row) {
        Map<String, Object> shape = new TreeMap<>();
        shape.put("recipient_id", row.minerId());
        shape.put("order_key", row.orderKey());
        shape.put("p2mr_program_hex", row.program().hex());
        shape.put("balance_sats", row.balanceSats());
        return shape;
    }

    static Map<String, Object> blockPayout(PoolBlock block, PayoutRow row) {
        Map<String, Object> shape = payout(block, row);
        shape.put("chain_state", block.chainState().text());
        shape.put("miner_id", row.minerId());
        return shape;
    }

    static Map<String, Object> recentPayout(PaidRow row) {
        Map<String, Object> shape = payout(row.block(), row.payout());
        shape.put("recipient_id", row.payout().minerId());
        shape.put("created_at", TIME.format(Instant.ofEpochMilli(row.createdAtMs())));
        return shape;
    }

    private static Map<String, Object> payout(PoolBlock block, PayoutRow row) {
        Map<String, Object> shape = new TreeMap<>();
        shape.put("block_hash", block.blockHash());
        shape.put("block_height", block.height());
        shape.put("coinbase_txid", block.coinbaseTxid());
        shape.put("payout_manifest_sha256", block.payoutManifestSha256());
        shape.put("order_key", row.orderKey());
        shape.put("p2mr_program_hex", row.program().hex());
        shape.put("onchain_amount_sats", row.onchainSats());
        shape.put("carry_forward_balance_sats", row.carryForwardSats());
        shape.put("action", row.action().text());
        shape.put("maturity_state", row.maturity().text());
        return shape;
    }

    static Map<String, @Nullable Object> drift(CarryDrift drift) {
        Map<String, @Nullable Object> shape = new TreeMap<>();
        shape.put("p2mr_program_hex", drift.program().hex());
        side(shape, "current", drift.current().orElse(null));
        side(shape, "recomputed", drift.recomputed().orElse(null));
        return shape;
    }

    private static void side(Map<String, @Nullable Object> shape, String side, @Nullable BalanceRow row) {
        shape.put(side + "_recipient_id", row == null ? null : row.minerId());
        shape.put(side + "_order_key", row == null ? null : row.orderKey());
        shape.put(
                side + "_balance_sats",
                row == null ? BigInteger.ZERO.toString() : row.balanceSats().toString());
    }

    static Map<String, Object> mismatch(CarryMismatch mismatch) {
        CarryRow row = mismatch.row();
        Map<String, Object> shape = new TreeMap<>();
        shape.put("carry_forward_seq", row.sequence());
        shape.put("block_hash", row.blockHash());
        shape.put("block_height", row.blockHeight());
        shape.put("recipient_id", row.account().minerId());
        shape.put("order_key", row.account().orderKey());
        shape.put("p2mr_program_hex", row.account().program().hex());
        shape.put("prior_balance_sats", row.account().priorSats());
        shape.put("expected_prior_balance_sats", mismatch.expectedPrior());
        shape.put("gross_amount_sats", row.account().grossSats());
        shape.put("candidate_balance_sats", row.account().candidateSats());
        shape.put("expected_candidate_balance_sats", mismatch.expectedCandidate());
        shape.put("onchain_amount_sats", row.account().onchainSats());
        shape.put("settlement_fee_sats", row.account().settlementFeeSats());
        shape.put("carry_forward_balance_sats", row.account().carryForwardSats());
        shape.put("expected_carry_forward_balance_sats", mismatch.expectedCarryForward());
        shape.put("action", row.account().action().text());
        shape.put("mismatch_reason", mismatch.reason());
        return shape;
    }
}

package org.prismpool.payout.finalization;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;

/** Writes intents in their identity form: compact JSON, member names sorted, everything outside ASCII escaped. */
final class IntentEncoder {

    private IntentEncoder() {}

    static EncodedIntent encode(CandidateIntent intent) {
        byte[] shares = shares(intent.work().shares());
        ByteArrayOutputStream text = new ByteArrayOutputStream(
                shares.length + intent.solution().blockHex().length() + 8192);
        write(intent, true, shares, text::writeBytes);
        MessageDigest digest = Sha256.newDigest();
        write(intent, false, shares, digest::update);
        return new EncodedIntent(text.toString(StandardCharsets.US_ASCII), Hex.encode(digest.digest()));
    }

    private interface Sink {
        void accept(byte[] ascii);
    }

    private static void write(CandidateIntent intent, boolean withAcceptance, byte[] shares, Sink out) {
        TreeMap<String, byte[]> members = new TreeMap<>(); // all names are ASCII: UTF-16 order is code point order
        members(intent, withAcceptance).forEach((name, value) -> members.put(name, ascii(JsonTree.sortedAscii(value))));
        members.put("shares_json", shares);
        byte[] separator = ascii("{");
        for (Map.Entry<String, byte[]> member : members.entrySet()) {
            out.accept(separator);
            out.accept(ascii("\"" + member.getKey() + "\":"));
            out.accept(member.getValue());
            separator = ascii(",");
        }
        out.accept(ascii("}"));
    }

    private static Map<String, @Nullable Object> members(CandidateIntent intent, boolean withAcceptance) {
        CandidateIntent.Solution solution = intent.solution();
        IntentWork work = intent.work();
        Map<String, @Nullable Object> members = new TreeMap<>();
        members.put("schema", CandidateIntent.SCHEMA);
        members.put("block_hash_hex", solution.hash().displayHex());
        members.put("block_hex", solution.blockHex());
        members.put("coinbase_tx_hex", solution.coinbaseHex());
        members.put("parent_hash", solution.parent().displayHex());
        members.put("expected_height", solution.height());
        members.put(
                "template",
                Map.of(
                        "previousblockhash",
                        solution.parent().displayHex(),
                        "height",
                        solution.height(),
                        "coinbasevalue",
                        unsigned(solution.coinbaseValueSats())));
        members.put(
                "prior_balances",
                work.priorBalances().stream().map(IntentEncoder::balance).toList());
        members.put("found_block", foundBlock(work.foundBlock()));
        members.put(
                "prospective_prior_balances",
                work.prospectiveBalances().map(IntentEncoder::prospective).orElse(null));
        members.put("witness_merkle_leaves_hex", work.witnessLeavesHex());
        members.put("extranonce1_hex", solution.extranonce1Hex());
        members.put("extranonce2_hex", solution.extranonce2Hex());
        members.put("username", intent.username());
        members.put("pending_share", share(intent.share(), withAcceptance));
        members.put("credit_share_on_accept", intent.creditShareOnAccept());
        members.put("collection_only", work.collectionOnly());
        work.buildInputs().ifPresent(inputs -> members.put("build_inputs", buildInputs(inputs)));
        return members;
    }

    private static Map<String, @Nullable Object> buildInputs(BuildInputs inputs) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        members.put("payout_policy", tree(inputs.payoutPolicyJson()));
        members.put(
                "ctv_settlement",
                inputs.ctvSettlementJson().map(IntentEncoder::tree).orElse(null));
        return members;
    }

    private static @Nullable Object tree(String json) {
        return JsonTree.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, @Nullable Object> balance(PriorBalance balance) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        members.put("recipient_id", balance.recipientId());
        members.put("order_key", balance.orderKey());
        members.put("p2mr_program_hex", balance.p2mrProgramHex());
        members.put("balance_sats", balance.balanceSats());
        return members;
    }

    private static List<List<Object>> prospective(List<PriorBalance> balances) {
        List<List<Object>> rows = new ArrayList<>(balances.size());
        for (PriorBalance b : balances) {
            rows.add(List.of(b.recipientId(), b.orderKey(), b.p2mrProgramHex(), b.balanceSats()));
        }
        return rows;
    }

    private static Map<String, @Nullable Object> foundBlock(FoundBlock block) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        members.put("block_height", unsigned(block.blockHeight()));
        members.put("coinbase_value_sats", unsigned(block.coinbaseValueSats()));
        members.put("network_difficulty", block.networkDifficulty().toBigInteger());
        members.put("anchor_job_issued_at_ms", block.anchorJobIssuedAtMs());
        return members;
    }

    private static Map<String, @Nullable Object> share(IntentShare share, boolean withAcceptance) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        members.put("share_id", share.shareId());
        members.put("miner_id", share.identity().recipientId());
        members.put("order_key", share.identity().orderKey());
        members.put("p2mr_program_hex", share.identity().programHex());
        members.put("share_difficulty", share.shareDifficulty().toBigInteger());
        members.put("network_difficulty", share.networkDifficulty().toBigInteger());
        members.put("template_height", share.templateHeight());
        members.put("job_id", share.jobId());
        members.put("job_issued_at_ms", share.jobIssuedAtMs());
        members.put("accepted_at_ms", withAcceptance ? share.acceptedAtMs() : null);
        members.put("ntime", share.ntime());
        members.put("credit_policy", share.creditPolicy().orElse(null));
        return members;
    }

    /** The only long part: written by hand, without a tree per share. */
    private static byte[] shares(List<WindowShare> shares) {
        StringBuilder out = new StringBuilder(2 + shares.size() * 400).append('[');
        for (WindowShare share : shares) {
            if (out.length() > 1) {
                out.append(',');
            }
            share(share, out);
        }
        return ascii(out.append(']').toString());
    }

    private static void share(WindowShare share, StringBuilder out) {
        PayoutIdentity identity = share.identity();
        out.append("{\"accepted_at_ms\":").append(share.acceptedAtMs());
        if (share.creditPolicy().isPresent()) {
            out.append(",\"credit_policy\":")
                    .append(JsonTree.sortedAscii(share.creditPolicy().get()));
        }
        out.append(",\"job_id\":").append(JsonTree.sortedAscii(share.jobId()));
        out.append(",\"job_issued_at_ms\":").append(share.jobIssuedAtMs());
        out.append(",\"miner_id\":").append(JsonTree.sortedAscii(identity.recipientId()));
        out.append(",\"network_difficulty\":").append(text(share.networkDifficulty()));
        out.append(",\"ntime\":").append(share.ntime());
        out.append(",\"order_key\":").append(JsonTree.sortedAscii(identity.orderKey()));
        out.append(",\"p2mr_program_hex\":").append(JsonTree.sortedAscii(identity.programHex()));
        out.append(",\"share_difficulty\":").append(text(share.shareDifficulty()));
        out.append(",\"share_id\":").append(JsonTree.sortedAscii(share.shareId()));
        out.append(",\"share_seq\":").append(Long.toUnsignedString(share.shareSeq()));
        out.append(",\"template_height\":").append(Long.toUnsignedString(share.templateHeight()));
        out.append('}');
    }

    private static String text(U128 value) {
        return value.high() == 0
                ? Long.toUnsignedString(value.low())
                : value.toBigInteger().toString();
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

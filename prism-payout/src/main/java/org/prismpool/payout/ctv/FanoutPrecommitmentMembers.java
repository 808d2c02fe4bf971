package org.prismpool.payout.ctv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;

/** Names and order of the members of a fanout precommitment. */
final class FanoutPrecommitmentMembers {

    private static final Name SCHEMA = Name.of("schema");
    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name CHUNK_INDEX = Name.of("chunk_index");
    private static final Name CHUNK_COUNT = Name.of("chunk_count");
    private static final Name COINBASE_VALUE_SATS = Name.of("coinbase_value_sats");
    private static final Name SETTLEMENT_MODE = Name.of("settlement_mode");
    private static final Name COVENANT_VALUE = Name.of("covenant_output_value_sats");
    private static final Name COVENANT_SCRIPT = Name.of("covenant_script_pubkey_hex");
    private static final Name TEMPLATE = Name.of("fanout_tx_template_hex");
    private static final Name INPUT_INDEX = Name.of("fanout_input_index");
    private static final Name SEQUENCE = Name.of("fanout_sequence");
    private static final Name LOCK_TIME = Name.of("fanout_lock_time");
    private static final Name OUTPUT_SUM = Name.of("fanout_output_sum_sats");
    private static final Name FEE = Name.of("fanout_fee_sats");
    private static final Name ANCHOR_VOUT = Name.of("anchor_vout");
    private static final Name CTV_HASH = Name.of("ctv_hash_hex");
    private static final Name LEAF_SCRIPT = Name.of("ctv_leaf_script_hex");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final Name CONTROL_BLOCK = Name.of("p2mr_control_block_hex");
    private static final Name REWARD_SHA256 = Name.of("reward_manifest_sha256_hex");
    private static final Name POLICY_SHA256 = Name.of("payout_policy_manifest_sha256_hex");
    private static final Name OUTPUTS = Name.of("outputs");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    SCHEMA,
                    BLOCK_HEIGHT,
                    CHUNK_INDEX,
                    CHUNK_COUNT,
                    COINBASE_VALUE_SATS,
                    SETTLEMENT_MODE,
                    COVENANT_VALUE,
                    COVENANT_SCRIPT,
                    TEMPLATE,
                    INPUT_INDEX,
                    SEQUENCE,
                    LOCK_TIME,
                    OUTPUT_SUM,
                    FEE,
                    ANCHOR_VOUT,
                    CTV_HASH,
                    LEAF_SCRIPT,
                    PROGRAM,
                    CONTROL_BLOCK,
                    REWARD_SHA256,
                    POLICY_SHA256,
                    OUTPUTS)
            .except(FEE, ANCHOR_VOUT);

    private FanoutPrecommitmentMembers() {}

    static void write(CanonicalWriter out, FanoutPrecommitment value) {
        out.beginObject();
        out.member(SCHEMA, value.schema());
        out.member(BLOCK_HEIGHT, value.blockHeight());
        out.member(CHUNK_INDEX, value.chunkIndex());
        out.member(CHUNK_COUNT, value.chunkCount());
        out.member(COINBASE_VALUE_SATS, value.coinbaseValueSats());
        out.member(SETTLEMENT_MODE, value.settlementMode().text());
        out.member(COVENANT_VALUE, value.covenantOutputValueSats());
        out.member(COVENANT_SCRIPT, value.covenantScriptPubkeyHex());
        out.member(TEMPLATE, value.fanoutTxTemplateHex());
        out.member(INPUT_INDEX, value.fanoutInputIndex());
        out.member(SEQUENCE, value.fanoutSequence());
        out.member(LOCK_TIME, value.fanoutLockTime());
        out.member(OUTPUT_SUM, value.fanoutOutputSumSats());
        if (value.fanoutFeeSats() != 0) {
            out.member(FEE, value.fanoutFeeSats());
        }
        value.anchorVout().ifPresent(anchor -> out.member(ANCHOR_VOUT, anchor.longValue()));
        out.member(CTV_HASH, value.ctvHashHex());
        out.member(LEAF_SCRIPT, value.ctvLeafScriptHex());
        out.member(PROGRAM, value.p2mrProgramHex());
        out.member(CONTROL_BLOCK, value.p2mrControlBlockHex());
        out.member(REWARD_SHA256, value.rewardManifestSha256Hex());
        out.member(POLICY_SHA256, value.payoutPolicyManifestSha256Hex());
        out.members(OUTPUTS, value.outputs(), each -> each.write(out));
        out.endObject();
    }

    static FanoutPrecommitment read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String[] texts = new String[9];
        Arrays.fill(texts, "");
        long[] numbers = new long[10];
        SettlementMode mode = SettlementMode.DIRECT_COINBASE;
        Optional<Long> anchor = Optional.empty();
        List<FanoutOutput> outputs = new ArrayList<>();
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> texts[0] = in.text();
                case "block_height" -> numbers[0] = in.unsigned64();
                case "chunk_index" -> numbers[1] = in.unsigned32();
                case "chunk_count" -> numbers[2] = in.unsigned32();
                case "coinbase_value_sats" -> numbers[3] = in.unsigned64();
                case "settlement_mode" -> mode = SettlementMode.read(in);
                case "covenant_output_value_sats" -> numbers[4] = in.unsigned64();
                case "covenant_script_pubkey_hex" -> texts[1] = in.text();
                case "fanout_tx_template_hex" -> texts[2] = in.text();
                case "fanout_input_index" -> numbers[5] = in.unsigned32();
                case "fanout_sequence" -> numbers[6] = in.unsigned32();
                case "fanout_lock_time" -> numbers[7] = in.unsigned32();
                case "fanout_output_sum_sats" -> numbers[8] = in.unsigned64();
                case "fanout_fee_sats" -> numbers[9] = in.unsigned64();
                case "anchor_vout" -> anchor = in.optional(in::unsigned32);
                case "ctv_hash_hex" -> texts[3] = in.text();
                case "ctv_leaf_script_hex" -> texts[4] = in.text();
                case "p2mr_program_hex" -> texts[5] = in.text();
                case "p2mr_control_block_hex" -> texts[6] = in.text();
                case "reward_manifest_sha256_hex" -> texts[7] = in.text();
                case "payout_policy_manifest_sha256_hex" -> texts[8] = in.text();
                default -> {
                    in.array();
                    while (in.hasElement()) {
                        outputs.add(FanoutOutput.read(in));
                    }
                }
            }
        }
        return new FanoutPrecommitment(
                texts[0],
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                mode,
                numbers[4],
                texts[1],
                texts[2],
                numbers[5],
                numbers[6],
                numbers[7],
                numbers[8],
                numbers[9],
                anchor,
                texts[3],
                texts[4],
                texts[5],
                texts[6],
                texts[7],
                texts[8],
                outputs);
    }
}

package org.prismpool.payout.ctv;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.chain.Hash256;

/** Checks one manifest in the order of settlement specification 12.2 and 12.3; the first failing check wins. */
final class FanoutVerification {

    private static final String OVERFLOW = "invalid CTV fanout manifest: fanout amount overflowed";
    private static final long MAX_LOCK_TIME = 0xffff_ffffL;
    private static final byte[] CONTROL_BLOCK = {(byte) 0xc1};

    private final FanoutManifest manifest;
    private final FanoutPrecommitment pre;

    private FanoutVerification(FanoutManifest manifest) {
        this.manifest = manifest;
        this.pre = manifest.precommitment();
    }

    static void verify(FanoutManifest manifest) {
        require(manifest.schema().equals(FanoutManifest.SCHEMA), "unexpected fanout manifest schema");
        FanoutVerification verification = new FanoutVerification(manifest);
        verification.precommitment();
        verification.identities();
        StrictTransaction template = verification.parentAndTemplate();
        StrictTransaction fanout = verification.fanout();
        verification.hashes(template, fanout);
        verification.outputs(fanout);
    }

    private void precommitment() {
        require(pre.schema().equals(FanoutPrecommitment.SCHEMA), "unexpected fanout precommitment schema");
        CtvErrors.canonical("precommitment covenant_script_pubkey_hex", pre.covenantScriptPubkeyHex());
        CtvErrors.canonical("precommitment fanout_tx_template_hex", pre.fanoutTxTemplateHex());
        CtvErrors.canonicalHash("precommitment ctv_hash_hex", pre.ctvHashHex());
        CtvErrors.canonical("precommitment ctv_leaf_script_hex", pre.ctvLeafScriptHex());
        CtvErrors.canonicalHash("precommitment p2mr_program_hex", pre.p2mrProgramHex());
        CtvErrors.canonical("precommitment p2mr_control_block_hex", pre.p2mrControlBlockHex());
        CtvErrors.canonicalHash("precommitment reward_manifest_sha256_hex", pre.rewardManifestSha256Hex());
        CtvErrors.canonicalHash("precommitment payout_policy_manifest_sha256_hex", pre.payoutPolicyManifestSha256Hex());
        require(pre.chunkCount() > 0, "fanout chunk_count must be positive");
        require(pre.chunkIndex() < pre.chunkCount(), "fanout chunk_index must be less than chunk_count");
        require(pre.fanoutSequence() == sequence(), "fanout sequence must equal the chunk index");
        require(
                pre.fanoutLockTime() == pre.blockHeight(),
                "fanout lock_time must equal block height for unique CTV context");
        require(!pre.outputs().isEmpty(), "fanout precommitment has no outputs");
        declaredOutputs();
        Optional<Long> anchor = pre.anchorVout();
        require(anchor.isEmpty() || anchor.get() == pre.outputs().size(), "fee anchor vout must follow the payouts");
        if (pre.fanoutFeeSats() == 0) {
            require(anchor.isPresent(), "zero-fee fanout must include a CPFP anchor");
        } else {
            require(anchor.isEmpty(), "built-in-fee fanout must not include a CPFP anchor");
        }
    }

    private long sequence() {
        long sequence = FanoutTransaction.SEQUENCE_BASE + pre.chunkIndex();
        require(sequence <= 0xffff_ffffL, "fanout sequence overflowed");
        return sequence;
    }

    private void declaredOutputs() {
        Set<PayoutIdentity> recipients = new HashSet<>();
        long sum = 0;
        long fee = 0;
        for (int i = 0; i < pre.outputs().size(); i++) {
            FanoutOutput output = pre.outputs().get(i);
            String name = "fanout output " + i;
            require(output.vout() == i, name + " vout mismatch");
            require(output.amountSats() != 0, name + " amount must be positive");
            PayoutIdentity identity = output.identity();
            require(
                    recipients.add(identity.withProgramHex(identity.programKey())),
                    "duplicate fanout payout recipient");
            byte[] program = CtvErrors.canonicalHash(name + " p2mr_program_hex", identity.programHex());
            require(
                    Hex.encode(ScriptTree.outputScript(program)).equals(output.scriptPubkeyHex()),
                    name + " scriptPubKey mismatch");
            sum = CtvErrors.addExact(sum, output.amountSats(), OVERFLOW);
            fee = CtvErrors.addExact(fee, output.feeSats(), OVERFLOW);
        }
        require(sum == pre.fanoutOutputSumSats(), "fanout output sum mismatch");
        require(fee == pre.fanoutFeeSats(), "fanout fee sum mismatch");
        require(
                CtvErrors.addExact(sum, fee, OVERFLOW) == pre.covenantOutputValueSats(),
                "fanout payouts plus fee do not equal covenant output value");
    }

    private void identities() {
        CtvErrors.canonicalHash("manifest precommitment_sha256_hex", manifest.precommitmentSha256Hex());
        CtvErrors.canonicalHash("manifest commitment_witness_leaf_hex", manifest.commitmentWitnessLeafHex());
        CtvErrors.canonicalHash("manifest parent_coinbase_txid", manifest.parentCoinbaseTxid());
        CtvErrors.canonical("manifest parent_coinbase_tx_hex", manifest.parentCoinbaseTxHex());
        CtvErrors.canonical("manifest covenant_script_pubkey_hex", manifest.covenantScriptPubkeyHex());
        CtvErrors.canonical("manifest fanout_tx_hex", manifest.fanoutTxHex());
        CtvErrors.canonicalHash("manifest fanout_txid", manifest.fanoutTxid());
        require(
                pre.settlementMode() != SettlementMode.DIRECT_COINBASE,
                "direct_coinbase mode cannot include a CTV fanout manifest");
        require(pre.sha256Hex().equals(manifest.precommitmentSha256Hex()), "fanout precommitment hash mismatch");
        require(
                pre.commitmentLeafHex().equals(manifest.commitmentWitnessLeafHex()),
                "fanout commitment witness leaf mismatch");
        require(pre.fanoutInputIndex() == 0, "only fanout input index 0 is supported");
        require(pre.blockHeight() >= 0 && pre.blockHeight() <= MAX_LOCK_TIME, "block height must fit fanout lock_time");
        require(pre.p2mrControlBlockHex().equals(Hex.encode(CONTROL_BLOCK)), "P2MR control block mismatch");
    }

    private StrictTransaction parentAndTemplate() {
        StrictTransaction parent =
                StrictTransaction.parseHex("manifest parent_coinbase_tx_hex", manifest.parentCoinbaseTxHex());
        require(parent.inputs().size() == 1, "parent coinbase must have exactly one input");
        StrictTransaction.Input input = parent.inputs().get(0);
        require(
                input.previousTxid().equals(Hash256.ZERO) && input.previousVout() == 0xffff_ffffL,
                "parent coinbase input must spend the null outpoint");
        require(parent.txid().displayHex().equals(manifest.parentCoinbaseTxid()), "parent coinbase txid mismatch");
        require(manifest.parentCoinbaseVout() < parent.outputs().size(), "parent coinbase vout is out of range");
        StrictTransaction.Output covenant = parent.outputs().get((int) manifest.parentCoinbaseVout());
        require(covenant.value() == manifest.covenantOutputValueSats(), "covenant output value mismatch");
        require(
                covenant.value() == pre.covenantOutputValueSats(),
                "parent covenant value does not match precommitment");
        String script = Hex.encode(covenant.script());
        require(script.equals(manifest.covenantScriptPubkeyHex()), "covenant scriptPubKey mismatch");
        require(
                script.equals(pre.covenantScriptPubkeyHex()),
                "parent covenant scriptPubKey does not match precommitment");
        StrictTransaction template =
                StrictTransaction.parseHex("manifest fanout_tx_template_hex", pre.fanoutTxTemplateHex());
        require(template.version() == 3, "fanout template must be a version 3 (TRUC) transaction");
        require(template.inputs().size() == 1, "fanout template transaction must have exactly one input");
        require(!template.hasWitness(), "fanout template transaction must not include witness data");
        require(template.inputs().get(0).scriptSig().length == 0, "fanout template input scriptSig must be empty");
        return template;
    }

    private StrictTransaction fanout() {
        StrictTransaction fanout = StrictTransaction.parseHex("manifest fanout_tx_hex", manifest.fanoutTxHex());
        require(fanout.txid().displayHex().equals(manifest.fanoutTxid()), "fanout txid mismatch");
        require(fanout.inputs().size() == 1, "CTV fanout transaction must spend exactly one input");
        StrictTransaction.Input input = fanout.inputs().get(0);
        require(input.scriptSig().length == 0, "fanout input scriptSig must be empty");
        require(
                input.previousTxid().displayHex().equals(manifest.parentCoinbaseTxid()),
                "fanout prevout txid mismatch");
        require(input.previousVout() == manifest.parentCoinbaseVout(), "fanout prevout vout mismatch");
        require(input.sequence() == pre.fanoutSequence(), "fanout sequence mismatch");
        require(input.sequence() == sequence(), "fanout sequence must equal the chunk index");
        require(fanout.lockTime() == pre.fanoutLockTime(), "fanout lock_time mismatch");
        require(
                fanout.lockTime() == pre.blockHeight(),
                "fanout lock_time must equal block height for unique CTV context");
        return fanout;
    }

    private void hashes(StrictTransaction template, StrictTransaction fanout) {
        byte[] hash = CtvHash.of(template, 0);
        require(Hex.encode(hash).equals(pre.ctvHashHex()), "precommitment CTV hash mismatch");
        require(Arrays.equals(CtvHash.of(fanout, 0), hash), "CTV hash mismatch");
        byte[] leaf = ScriptTree.ctvLeaf(hash);
        require(Hex.encode(leaf).equals(pre.ctvLeafScriptHex()), "CTV leaf script mismatch");
        byte[] program = ScriptTree.program(leaf, List.of());
        require(Hex.encode(program).equals(pre.p2mrProgramHex()), "P2MR program mismatch");
        require(
                Hex.encode(ScriptTree.outputScript(program)).equals(manifest.covenantScriptPubkeyHex()),
                "covenant scriptPubKey does not match CTV leaf");
        List<byte[]> witness = fanout.inputs().get(0).witness();
        require(fanout.hasWitness(), "fanout transaction must include P2MR witness");
        require(witness.size() == 2, "fanout P2MR witness must contain leaf script and control block");
        require(Arrays.equals(witness.get(0), leaf), "fanout witness leaf script mismatch");
        require(Arrays.equals(witness.get(1), CONTROL_BLOCK), "fanout witness control block mismatch");
    }

    private void outputs(StrictTransaction fanout) {
        boolean anchored = pre.fanoutFeeSats() == 0;
        int payouts = pre.outputs().size();
        require(
                fanout.outputs().size() == payouts + (anchored ? 1 : 0),
                anchored
                        ? "fanout must have exactly the payouts plus one fee anchor output"
                        : "built-in-fee fanout must have exactly the payout outputs");
        for (int i = 0; i < payouts; i++) {
            FanoutOutput declared = pre.outputs().get(i);
            StrictTransaction.Output actual = fanout.outputs().get(i);
            String name = "fanout output " + i;
            require(declared.vout() == i, name + " vout mismatch");
            require(declared.amountSats() == actual.value(), name + " amount mismatch");
            byte[] program = CtvErrors.canonicalHash(
                    name + " p2mr_program_hex", declared.identity().programHex());
            require(Arrays.equals(ScriptTree.outputScript(program), actual.script()), name + " scriptPubKey mismatch");
            require(
                    Hex.encode(actual.script()).equals(declared.scriptPubkeyHex()),
                    name + " manifest scriptPubKey mismatch");
        }
        if (anchored) {
            StrictTransaction.Output anchor = fanout.outputs().get(payouts);
            require(anchor.value() == 0, "fee anchor value must be zero");
            require(
                    Arrays.equals(anchor.script(), FanoutTransaction.ANCHOR_SCRIPT),
                    "fee anchor must use the P2A scriptPubKey");
        }
        require(
                pre.covenantOutputValueSats() == manifest.covenantOutputValueSats(),
                "fanout payouts plus fee do not equal covenant output value");
    }

    private static void require(boolean holds, String reason) {
        CtvErrors.require(holds, reason);
    }
}

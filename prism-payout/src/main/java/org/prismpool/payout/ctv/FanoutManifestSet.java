package org.prismpool.payout.ctv;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.Sha256;

/**
 * All fanouts of one block (settlement specification 11.3).
 *
 * @param schema schema text
 * @param blockHeight height, unsigned 64 bits
 * @param coinbaseValueSats value of the block, unsigned 64 bits
 * @param settlementMode mode of the block
 * @param rewardManifestSha256Hex hash of the reward manifest
 * @param payoutPolicyManifestSha256Hex hash of the payout-policy manifest
 * @param parentCoinbaseTxid id of the coinbase, display order
 * @param fanoutCount number of fanouts, unsigned 32 bits
 * @param fanoutOutputSumSats sum of all payouts
 * @param fanoutFeeSats sum of all fees
 * @param covenantOutputValueSats sum of all covenant outputs
 * @param manifests the fanouts by chunk index
 */
public record FanoutManifestSet(
        String schema,
        long blockHeight,
        long coinbaseValueSats,
        SettlementMode settlementMode,
        String rewardManifestSha256Hex,
        String payoutPolicyManifestSha256Hex,
        String parentCoinbaseTxid,
        long fanoutCount,
        long fanoutOutputSumSats,
        long fanoutFeeSats,
        long covenantOutputValueSats,
        List<FanoutManifest> manifests) {

    /** Schema of a set that this library builds. */
    public static final String SCHEMA = "qbit.prism.ctv-fanout-manifest-set.v1";

    private static final String OVERFLOW = "invalid CTV fanout manifest: fanout amount overflowed";
    private static final Name SCHEMA_NAME = Name.of("schema");
    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name COINBASE_VALUE_SATS = Name.of("coinbase_value_sats");
    private static final Name SETTLEMENT_MODE = Name.of("settlement_mode");
    private static final Name REWARD_SHA256 = Name.of("reward_manifest_sha256_hex");
    private static final Name POLICY_SHA256 = Name.of("payout_policy_manifest_sha256_hex");
    private static final Name PARENT_TXID = Name.of("parent_coinbase_txid");
    private static final Name FANOUT_COUNT = Name.of("fanout_count");
    private static final Name OUTPUT_SUM = Name.of("fanout_output_sum_sats");
    private static final Name FEE = Name.of("fanout_fee_sats");
    private static final Name COVENANT_VALUE = Name.of("covenant_output_value_sats");
    private static final Name MANIFESTS = Name.of("manifests");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    SCHEMA_NAME,
                    BLOCK_HEIGHT,
                    COINBASE_VALUE_SATS,
                    SETTLEMENT_MODE,
                    REWARD_SHA256,
                    POLICY_SHA256,
                    PARENT_TXID,
                    FANOUT_COUNT,
                    OUTPUT_SUM,
                    FEE,
                    COVENANT_VALUE,
                    MANIFESTS)
            .except(FEE);

    /** Copies the list. */
    public FanoutManifestSet {
        manifests = List.copyOf(manifests);
    }

    /**
     * Collects the fanouts of a block and verifies the result.
     *
     * @param context what every chunk commits to
     * @param parentCoinbaseTxid id of the coinbase
     * @param manifests the fanouts in any order
     * @return the set
     * @throws org.prismpool.payout.window.PayoutRuleException if it does not verify
     */
    public static FanoutManifestSet of(
            FanoutContext context, String parentCoinbaseTxid, List<FanoutManifest> manifests) {
        List<FanoutManifest> ordered = new ArrayList<>(manifests);
        ordered.sort(Comparator.comparingLong(each -> each.precommitment().chunkIndex()));
        long sum = 0;
        long fee = 0;
        long covenants = 0;
        for (FanoutManifest each : ordered) {
            sum = CtvErrors.addExact(sum, each.precommitment().fanoutOutputSumSats(), OVERFLOW);
            fee = CtvErrors.addExact(fee, each.precommitment().fanoutFeeSats(), OVERFLOW);
            covenants = CtvErrors.addExact(covenants, each.covenantOutputValueSats(), OVERFLOW);
        }
        FanoutManifestSet set = new FanoutManifestSet(
                SCHEMA,
                context.blockHeight(),
                context.coinbaseValueSats(),
                context.settlementMode(),
                context.rewardManifestSha256Hex(),
                context.payoutPolicyManifestSha256Hex(),
                parentCoinbaseTxid,
                ordered.size(),
                sum,
                fee,
                covenants,
                ordered);
        set.verify();
        return set;
    }

    /**
     * Checks that the set holds together: every document, hash, covenant, transaction and sum (settlement specification 12).
     * That its block is on the chain and commits to its leaves is another question.
     *
     * @throws org.prismpool.payout.window.PayoutRuleException with the contract text of the first check that fails
     */
    public void verify() {
        CtvErrors.require(schema.equals(SCHEMA), "unexpected fanout manifest set schema");
        CtvErrors.require(!manifests.isEmpty(), "fanout manifest set is empty");
        CtvErrors.require(fanoutCount == manifests.size(), "fanout manifest set count mismatch");
        CtvErrors.require(
                settlementMode != SettlementMode.DIRECT_COINBASE,
                "direct_coinbase mode cannot include a CTV fanout manifest set");
        CtvErrors.canonicalHash("fanout set reward_manifest_sha256_hex", rewardManifestSha256Hex);
        CtvErrors.canonicalHash("fanout set payout_policy_manifest_sha256_hex", payoutPolicyManifestSha256Hex);
        CtvErrors.canonicalHash("fanout set parent_coinbase_txid", parentCoinbaseTxid);
        Seen seen = new Seen();
        long sum = 0;
        long fee = 0;
        long covenants = 0;
        for (int i = 0; i < manifests.size(); i++) {
            FanoutManifest manifest = manifests.get(i);
            FanoutVerification.verify(manifest);
            verifyMember(manifest, i);
            seen.add(manifest);
            sum = CtvErrors.addExact(sum, manifest.precommitment().fanoutOutputSumSats(), OVERFLOW);
            fee = CtvErrors.addExact(fee, manifest.precommitment().fanoutFeeSats(), OVERFLOW);
            covenants = CtvErrors.addExact(covenants, manifest.covenantOutputValueSats(), OVERFLOW);
        }
        CtvErrors.require(sum == fanoutOutputSumSats, "fanout set output sum mismatch");
        CtvErrors.require(fee == fanoutFeeSats, "fanout set fee sum mismatch");
        CtvErrors.require(covenants == covenantOutputValueSats, "fanout set covenant value mismatch");
        CtvErrors.require(
                CtvErrors.addExact(sum, fee, OVERFLOW) == covenants,
                "fanout set payouts plus fee do not equal covenant value");
    }

    private void verifyMember(FanoutManifest manifest, int index) {
        FanoutPrecommitment pre = manifest.precommitment();
        CtvErrors.require(pre.chunkIndex() == index, "fanout manifest set chunks must be contiguous and canonical");
        CtvErrors.require(pre.chunkCount() == fanoutCount, "fanout chunk count mismatch");
        CtvErrors.require(pre.blockHeight() == blockHeight, "fanout set block height mismatch");
        CtvErrors.require(pre.coinbaseValueSats() == coinbaseValueSats, "fanout set coinbase value mismatch");
        CtvErrors.require(pre.settlementMode() == settlementMode, "fanout set settlement mode mismatch");
        CtvErrors.require(
                pre.rewardManifestSha256Hex().equals(rewardManifestSha256Hex), "fanout set reward manifest mismatch");
        CtvErrors.require(
                pre.payoutPolicyManifestSha256Hex().equals(payoutPolicyManifestSha256Hex),
                "fanout set payout policy manifest mismatch");
        CtvErrors.require(
                manifest.parentCoinbaseTxid().equals(parentCoinbaseTxid), "fanout set parent coinbase mismatch");
    }

    /** What may occur only once in a set. */
    private static final class Seen {
        private final Set<Long> vouts = new HashSet<>();
        private final Set<String> ctvHashes = new HashSet<>();
        private final Set<String> txids = new HashSet<>();
        private final Set<String> leaves = new HashSet<>();

        void add(FanoutManifest manifest) {
            CtvErrors.require(vouts.add(manifest.parentCoinbaseVout()), "duplicate fanout parent coinbase vout");
            CtvErrors.require(ctvHashes.add(manifest.precommitment().ctvHashHex()), "duplicate fanout CTV hash");
            CtvErrors.require(txids.add(manifest.fanoutTxid()), "duplicate fanout txid");
            CtvErrors.require(
                    leaves.add(manifest.commitmentWitnessLeafHex()), "duplicate fanout commitment witness leaf");
        }
    }

    /**
     * Returns the canonical bytes, members in declared order.
     *
     * @return the bytes
     */
    public byte[] canonicalBytes() {
        return CanonicalWriter.bytesOf(this::write);
    }

    /**
     * Returns the hash over members in declared order (the recovery hash).
     *
     * @return 64 lower-case digits
     */
    public String declaredOrderSha256Hex() {
        return Sha256.hex(canonicalBytes());
    }

    /**
     * Returns the text that the ledger stores and serves: keys sorted, everything outside ASCII escaped. Its SHA-256 is the
     * published address of the set and is another one than {@link #declaredOrderSha256Hex}.
     *
     * @return the text
     */
    public String persistedJson() {
        return JsonTree.sortedAscii(JsonTree.parse(canonicalBytes()));
    }

    /**
     * Writes the set as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(SCHEMA_NAME, schema);
        out.member(BLOCK_HEIGHT, blockHeight);
        out.member(COINBASE_VALUE_SATS, coinbaseValueSats);
        out.member(SETTLEMENT_MODE, settlementMode.text());
        out.member(REWARD_SHA256, rewardManifestSha256Hex);
        out.member(POLICY_SHA256, payoutPolicyManifestSha256Hex);
        out.member(PARENT_TXID, parentCoinbaseTxid);
        out.member(FANOUT_COUNT, fanoutCount);
        out.member(OUTPUT_SUM, fanoutOutputSumSats);
        if (fanoutFeeSats != 0) {
            out.member(FEE, fanoutFeeSats);
        }
        out.member(COVENANT_VALUE, covenantOutputValueSats);
        out.members(MANIFESTS, manifests, each -> each.write(out));
        out.endObject();
    }

    /**
     * Reads a set.
     *
     * @param in the reader
     * @return the set
     */
    public static FanoutManifestSet read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String schema = "";
        long height = 0;
        long value = 0;
        SettlementMode mode = SettlementMode.DIRECT_COINBASE;
        String reward = "";
        String policy = "";
        String parent = "";
        long count = 0;
        long sum = 0;
        long fee = 0;
        long covenants = 0;
        List<FanoutManifest> manifests = new ArrayList<>();
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> schema = in.text();
                case "block_height" -> height = in.unsigned64();
                case "coinbase_value_sats" -> value = in.unsigned64();
                case "settlement_mode" -> mode = SettlementMode.read(in);
                case "reward_manifest_sha256_hex" -> reward = in.text();
                case "payout_policy_manifest_sha256_hex" -> policy = in.text();
                case "parent_coinbase_txid" -> parent = in.text();
                case "fanout_count" -> count = in.unsigned32();
                case "fanout_output_sum_sats" -> sum = in.unsigned64();
                case "fanout_fee_sats" -> fee = in.unsigned64();
                case "covenant_output_value_sats" -> covenants = in.unsigned64();
                default -> {
                    in.array();
                    while (in.hasElement()) {
                        manifests.add(FanoutManifest.read(in));
                    }
                }
            }
        }
        return new FanoutManifestSet(
                schema, height, value, mode, reward, policy, parent, count, sum, fee, covenants, manifests);
    }
}

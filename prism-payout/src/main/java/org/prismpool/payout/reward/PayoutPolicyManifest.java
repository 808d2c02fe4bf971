package org.prismpool.payout.reward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WeightedEntitlement;

/**
 * The published account of who is paid what by one block and what stays owed (payout specification 8.7).
 *
 * @param schema schema text
 * @param blockHeight height, unsigned 64 bits
 * @param coinbaseValueSats subsidy and fees, unsigned 64 bits
 * @param minOutputSats floor, unsigned 64 bits
 * @param floorFormula how the floor came about
 * @param coinbaseOutputPolicy order of the outputs
 * @param poolFee the pool's cut; empty without a fee policy
 * @param accounts every recipient, in account order
 * @param onchainEntitlements who is paid by this block; the weights are sats and sum to the coinbase value
 */
public record PayoutPolicyManifest(
        String schema,
        long blockHeight,
        long coinbaseValueSats,
        long minOutputSats,
        String floorFormula,
        CoinbaseOutputPolicy coinbaseOutputPolicy,
        Optional<PoolFee> poolFee,
        List<PayoutAccount> accounts,
        List<WeightedEntitlement> onchainEntitlements) {

    /** Schema of a manifest that this library computes. */
    public static final String SCHEMA = "qbit.prism.payout-policy.v1";

    private static final Name SCHEMA_NAME = Name.of("schema");
    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name COINBASE_VALUE_SATS = Name.of("coinbase_value_sats");
    private static final Name MIN_OUTPUT_SATS = Name.of("min_output_sats");
    private static final Name FLOOR_FORMULA = Name.of("floor_formula");
    private static final Name COINBASE_OUTPUT_POLICY = Name.of("coinbase_output_policy");
    private static final Name POOL_FEE = Name.of("pool_fee");
    private static final Name ACCOUNTS = Name.of("accounts");
    private static final Name ONCHAIN_ENTITLEMENTS = Name.of("onchain_entitlements");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    SCHEMA_NAME,
                    BLOCK_HEIGHT,
                    COINBASE_VALUE_SATS,
                    MIN_OUTPUT_SATS,
                    FLOOR_FORMULA,
                    COINBASE_OUTPUT_POLICY,
                    POOL_FEE,
                    ACCOUNTS,
                    ONCHAIN_ENTITLEMENTS)
            .except(COINBASE_OUTPUT_POLICY, POOL_FEE);

    /** Copies the lists. */
    public PayoutPolicyManifest {
        accounts = List.copyOf(accounts);
        onchainEntitlements = List.copyOf(onchainEntitlements);
    }

    /**
     * Applies a policy to the work of a window (payout specification 5.2).
     *
     * @param block the block
     * @param entitlements counted work, in the order of the reward manifest
     * @param priorBalances balances before the block, in any order; several of one program are summed
     * @param policy the policy
     * @return the manifest
     * @throws PayoutRuleException if the policy is inconsistent, nobody can be paid, the block pays more than is owed, or
     *     an amount overflows
     */
    public static PayoutPolicyManifest of(
            FoundBlock block,
            List<WeightedEntitlement> entitlements,
            List<PriorBalance> priorBalances,
            PayoutPolicy policy) {
        try {
            return new PolicyCalculation(block, policy).apply(entitlements, priorBalances);
        } catch (ArithmeticException e) {
            throw PolicyErrors.overflow();
        }
    }

    /**
     * Returns whether the pool fee is the first output: the policy says so and there is a fee to pay.
     *
     * @return whether it is
     */
    public boolean pinsPoolFee() {
        return coinbaseOutputPolicy == CoinbaseOutputPolicy.POOL_FEE_FIRST
                && poolFee.filter(fee -> fee.amountSats() != 0).isPresent();
    }

    /**
     * Returns the manifest with other accounts.
     *
     * @param changed the accounts
     * @return the manifest
     */
    public PayoutPolicyManifest withAccounts(List<PayoutAccount> changed) {
        return new PayoutPolicyManifest(
                schema,
                blockHeight,
                coinbaseValueSats,
                minOutputSats,
                floorFormula,
                coinbaseOutputPolicy,
                poolFee,
                changed,
                onchainEntitlements);
    }

    /**
     * Returns the SHA-256 of the canonical bytes.
     *
     * @return 32 bytes
     */
    public byte[] sha256() {
        return CanonicalWriter.sha256Of(this::write);
    }

    /**
     * Writes the manifest as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(SCHEMA_NAME, schema);
        out.member(BLOCK_HEIGHT, blockHeight);
        out.member(COINBASE_VALUE_SATS, coinbaseValueSats);
        out.member(MIN_OUTPUT_SATS, minOutputSats);
        out.member(FLOOR_FORMULA, floorFormula);
        if (coinbaseOutputPolicy != CoinbaseOutputPolicy.CANONICAL) {
            out.member(COINBASE_OUTPUT_POLICY, coinbaseOutputPolicy.text());
        }
        poolFee.ifPresent(fee -> {
            out.name(POOL_FEE);
            fee.write(out);
        });
        out.members(ACCOUNTS, accounts, each -> each.write(out));
        out.members(ONCHAIN_ENTITLEMENTS, onchainEntitlements, each -> each.write(out));
        out.endObject();
    }

    /**
     * Reads a manifest.
     *
     * @param in the reader
     * @return the manifest
     */
    public static PayoutPolicyManifest read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String schema = "";
        long height = 0;
        long value = 0;
        long floor = 0;
        String formula = "";
        CoinbaseOutputPolicy output = CoinbaseOutputPolicy.CANONICAL;
        Optional<PoolFee> fee = Optional.empty();
        List<PayoutAccount> accounts = new ArrayList<>();
        List<WeightedEntitlement> entitlements = new ArrayList<>();
        while (member.next()) {
            switch (member.name()) {
                case "schema" -> schema = in.text();
                case "block_height" -> height = in.unsigned64();
                case "coinbase_value_sats" -> value = in.unsigned64();
                case "min_output_sats" -> floor = in.unsigned64();
                case "floor_formula" -> formula = in.text();
                case "coinbase_output_policy" -> output = CoinbaseOutputPolicy.read(in);
                case "pool_fee" -> fee = in.optional(() -> PoolFee.read(in));
                case "accounts" -> {
                    in.array();
                    while (in.hasElement()) {
                        accounts.add(PayoutAccount.read(in));
                    }
                }
                default -> {
                    in.array();
                    while (in.hasElement()) {
                        entitlements.add(WeightedEntitlement.read(in));
                    }
                }
            }
        }
        return new PayoutPolicyManifest(schema, height, value, floor, formula, output, fee, accounts, entitlements);
    }
}

package org.prismpool.config.rule;

import static org.prismpool.config.variable.CtvVariables.CTV_BROADCASTER_ENABLED;
import static org.prismpool.config.variable.CtvVariables.CTV_BROADCASTER_FEE_BITS;
import static org.prismpool.config.variable.CtvVariables.CTV_BROADCASTER_WALLET;
import static org.prismpool.config.variable.CtvVariables.CTV_SETTLEMENT_ENABLED;
import static org.prismpool.config.variable.CtvVariables.MAX_COINBASE_SETTLEMENT_OUTPUTS;
import static org.prismpool.config.variable.CtvVariables.MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION;
import static org.prismpool.config.variable.CtvVariables.MAX_DIRECT_COINBASE_OUTPUTS;
import static org.prismpool.config.variable.CtvVariables.RESERVED_COINBASE_OUTPUTS;
import static org.prismpool.config.variable.PayoutVariables.COINBASE_OUTPUT_POLICY;
import static org.prismpool.config.variable.PayoutVariables.PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS;
import static org.prismpool.config.variable.PayoutVariables.PAYOUT_ARTIFACT_MIN_BUILD_INTERVAL_SECONDS;
import static org.prismpool.config.variable.PayoutVariables.PAYOUT_ARTIFACT_REANCHOR_SECONDS;
import static org.prismpool.config.variable.PayoutVariables.PAYOUT_MIN_OUTPUT_BITS;
import static org.prismpool.config.variable.PayoutVariables.PAYOUT_P2MR_SPEND_INPUT_BYTES;
import static org.prismpool.config.variable.PayoutVariables.PAYOUT_SAFETY_MULTIPLIER;
import static org.prismpool.config.variable.PayoutVariables.PAYOUT_TARGET_FEERATE_BITS_PER_BYTE;
import static org.prismpool.config.variable.PayoutVariables.POOL_FEE_ADDRESS;
import static org.prismpool.config.variable.PayoutVariables.POOL_FEE_BPS;
import static org.prismpool.config.variable.PayoutVariables.POOL_FEE_ENABLED;
import static org.prismpool.config.variable.PayoutVariables.POOL_FEE_ORDER_KEY;
import static org.prismpool.config.variable.PayoutVariables.POOL_FEE_P2MR_PROGRAM_HEX;
import static org.prismpool.config.variable.PayoutVariables.POOL_FEE_RECIPIENT_ID;
import static org.prismpool.config.variable.PublicApiVariables.PUBLIC_POOL_FEE_BPS;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.Variable;

/** Rules R6, R8, F1-F5, C1, C2 and C9: payout policy, pool fee, CTV settlement. */
final class PayoutRules {

    private static final BigInteger MONEY_MAX = BigInteger.valueOf(21_000_000_000_000_000L);
    private static final int OUTPUTS_MAX = 500; // accounting engine, spec 01 C1
    private static final int RECIPIENTS_MAX = 1160; // 90 + compactSize(n) + 43n <= 50,000 weight
    private static final List<Variable<?>> FEE_VALUES = List.of(
            POOL_FEE_BPS, POOL_FEE_ADDRESS, POOL_FEE_P2MR_PROGRAM_HEX, POOL_FEE_RECIPIENT_ID, POOL_FEE_ORDER_KEY);

    private PayoutRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.of(
                        "R6",
                        "maximum anchor age > 2 x the larger of re-anchor and build interval",
                        PayoutRules::anchorAge,
                        PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS,
                        PAYOUT_ARTIFACT_REANCHOR_SECONDS,
                        PAYOUT_ARTIFACT_MIN_BUILD_INTERVAL_SECONDS),
                Rule.of(
                        "R8",
                        "a broadcaster that pays fees needs a wallet",
                        PayoutRules::broadcaster,
                        CTV_BROADCASTER_ENABLED,
                        CTV_BROADCASTER_FEE_BITS,
                        CTV_BROADCASTER_WALLET),
                Rule.of("F1", "pool-fee values need PRISM_POOL_FEE_ENABLED=1", PayoutRules::feeOff, POOL_FEE_ENABLED),
                Rule.of(
                        "F2",
                        "an enabled pool fee needs its basis points",
                        PayoutRules::feeBps,
                        POOL_FEE_ENABLED,
                        POOL_FEE_BPS),
                Rule.of(
                        "F3",
                        "an enabled pool fee has exactly one of address and program",
                        PayoutRules::feeRecipient,
                        POOL_FEE_ENABLED,
                        POOL_FEE_ADDRESS,
                        POOL_FEE_P2MR_PROGRAM_HEX),
                Rule.of(
                        "F4",
                        "a fee program needs a recipient id; an address has its own",
                        PayoutRules::feeIdentity,
                        POOL_FEE_ENABLED,
                        POOL_FEE_ADDRESS,
                        POOL_FEE_P2MR_PROGRAM_HEX,
                        POOL_FEE_RECIPIENT_ID),
                Rule.of(
                        "F5",
                        "pool-fee-first needs an enabled pool fee",
                        PayoutRules::feeFirst,
                        COINBASE_OUTPUT_POLICY,
                        POOL_FEE_ENABLED),
                Rule.of(
                        "C1",
                        "CTV limits of the accounting engine",
                        PayoutRules::ctvLimits,
                        CTV_SETTLEMENT_ENABLED,
                        MAX_COINBASE_SETTLEMENT_OUTPUTS,
                        MAX_DIRECT_COINBASE_OUTPUTS,
                        RESERVED_COINBASE_OUTPUTS,
                        MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION),
                Rule.of(
                        "C2",
                        "the payout floor formula stays within the money range",
                        PayoutRules::floor,
                        PAYOUT_P2MR_SPEND_INPUT_BYTES,
                        PAYOUT_TARGET_FEERATE_BITS_PER_BYTE,
                        PAYOUT_SAFETY_MULTIPLIER,
                        PAYOUT_MIN_OUTPUT_BITS),
                Rule.of(
                        "C9",
                        "the displayed fee should be the real one",
                        PayoutRules::displayedFee,
                        PUBLIC_POOL_FEE_BPS,
                        POOL_FEE_ENABLED,
                        POOL_FEE_BPS));
    }

    private static void anchorAge(Environment e, RuleReport report) {
        Duration reanchor = e.get(PAYOUT_ARTIFACT_REANCHOR_SECONDS);
        Duration interval = e.get(PAYOUT_ARTIFACT_MIN_BUILD_INTERVAL_SECONDS);
        Duration longer = reanchor.compareTo(interval) >= 0 ? reanchor : interval;
        if (e.get(PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS).compareTo(longer.multipliedBy(2)) <= 0) {
            report.error(
                    "the first must be more than twice the larger of the other two",
                    PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS,
                    PAYOUT_ARTIFACT_REANCHOR_SECONDS,
                    PAYOUT_ARTIFACT_MIN_BUILD_INTERVAL_SECONDS);
        }
    }

    private static void broadcaster(Environment e, RuleReport report) {
        if (e.get(CTV_BROADCASTER_ENABLED)
                && e.get(CTV_BROADCASTER_FEE_BITS) > 0
                && e.find(CTV_BROADCASTER_WALLET).isEmpty()) {
            report.error(
                    "is required while the broadcaster is on and pays a fee",
                    CTV_BROADCASTER_WALLET,
                    CTV_BROADCASTER_FEE_BITS,
                    CTV_BROADCASTER_ENABLED);
        }
    }

    private static void feeOff(Environment e, RuleReport report) {
        if (e.get(POOL_FEE_ENABLED)) {
            return;
        }
        for (Variable<?> value : FEE_VALUES) {
            if (e.given(value)) {
                report.error(
                        "is set while the pool fee is off; set PRISM_POOL_FEE_ENABLED=1 or unset it",
                        value,
                        POOL_FEE_ENABLED);
            }
        }
    }

    private static void feeBps(Environment e, RuleReport report) {
        if (e.get(POOL_FEE_ENABLED) && e.find(POOL_FEE_BPS).isEmpty()) {
            report.error("is required while the pool fee is on; allowed: 0-10000", POOL_FEE_BPS, POOL_FEE_ENABLED);
        }
    }

    private static void feeRecipient(Environment e, RuleReport report) {
        boolean address = e.find(POOL_FEE_ADDRESS).isPresent();
        boolean program = e.find(POOL_FEE_P2MR_PROGRAM_HEX).isPresent();
        if (e.get(POOL_FEE_ENABLED) && address == program) {
            report.error(
                    "exactly one of the two must be set while the pool fee is on",
                    POOL_FEE_ADDRESS,
                    POOL_FEE_P2MR_PROGRAM_HEX);
        }
    }

    private static void feeIdentity(Environment e, RuleReport report) {
        if (!e.get(POOL_FEE_ENABLED)) {
            return;
        }
        if (e.find(POOL_FEE_P2MR_PROGRAM_HEX).isPresent()
                && e.find(POOL_FEE_RECIPIENT_ID).isEmpty()) {
            report.error("is required with a fee program", POOL_FEE_RECIPIENT_ID, POOL_FEE_P2MR_PROGRAM_HEX);
        }
        if (e.find(POOL_FEE_ADDRESS).isPresent() && (e.given(POOL_FEE_RECIPIENT_ID) || e.given(POOL_FEE_ORDER_KEY))) {
            report.warning(
                    "is ignored: an address is its own recipient id and order key",
                    e.given(POOL_FEE_RECIPIENT_ID) ? POOL_FEE_RECIPIENT_ID : POOL_FEE_ORDER_KEY,
                    POOL_FEE_ADDRESS);
        }
    }

    private static void feeFirst(Environment e, RuleReport report) {
        if (e.get(COINBASE_OUTPUT_POLICY).equals("pool-fee-first") && !e.get(POOL_FEE_ENABLED)) {
            report.error("pool-fee-first needs PRISM_POOL_FEE_ENABLED=1", COINBASE_OUTPUT_POLICY, POOL_FEE_ENABLED);
        }
    }

    private static void ctvLimits(Environment e, RuleReport report) {
        if (!e.get(CTV_SETTLEMENT_ENABLED)) {
            return;
        }
        atMost(e, report, MAX_COINBASE_SETTLEMENT_OUTPUTS, OUTPUTS_MAX);
        atMost(e, report, MAX_DIRECT_COINBASE_OUTPUTS, OUTPUTS_MAX);
        atMost(e, report, MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION, RECIPIENTS_MAX);
        if (e.get(RESERVED_COINBASE_OUTPUTS) > e.get(MAX_COINBASE_SETTLEMENT_OUTPUTS)) {
            report.error(
                    "the first must be at most the second", RESERVED_COINBASE_OUTPUTS, MAX_COINBASE_SETTLEMENT_OUTPUTS);
        }
    }

    private static void atMost(Environment e, RuleReport report, Variable<Integer> variable, int max) {
        if (e.get(variable) > max) {
            report.error("must be at most " + max, variable);
        }
    }

    private static void floor(Environment e, RuleReport report) {
        BigInteger formula = BigInteger.valueOf(e.get(PAYOUT_P2MR_SPEND_INPUT_BYTES))
                .multiply(BigInteger.valueOf(e.get(PAYOUT_TARGET_FEERATE_BITS_PER_BYTE)))
                .multiply(BigInteger.valueOf(e.get(PAYOUT_SAFETY_MULTIPLIER)));
        if (formula.compareTo(MONEY_MAX) > 0) {
            report.error(
                    "the product is a payout floor of " + formula + " bits, above the money range of " + MONEY_MAX,
                    PAYOUT_P2MR_SPEND_INPUT_BYTES,
                    PAYOUT_TARGET_FEERATE_BITS_PER_BYTE,
                    PAYOUT_SAFETY_MULTIPLIER);
        }
        if (e.find(PAYOUT_MIN_OUTPUT_BITS)
                .map(bits -> BigInteger.valueOf(bits).compareTo(MONEY_MAX) > 0)
                .orElse(false)) {
            report.error("must be at most " + MONEY_MAX + " bits", PAYOUT_MIN_OUTPUT_BITS);
        }
    }

    private static void displayedFee(Environment e, RuleReport report) {
        int real = e.get(POOL_FEE_ENABLED) ? e.find(POOL_FEE_BPS).orElse(0) : 0;
        if (e.get(PUBLIC_POOL_FEE_BPS) != real) {
            report.warning(
                    "the displayed fee differs from the real one, " + real + " bps", PUBLIC_POOL_FEE_BPS, POOL_FEE_BPS);
        }
    }
}

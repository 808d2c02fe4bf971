package org.prismpool.bundle.compile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.ctv.CtvSettlement;
import org.prismpool.payout.ctv.FanoutFeePolicy;
import org.prismpool.payout.ctv.SettlementLimits;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;

/** Random build inputs that are valid by construction. */
final class CompileInputs {

    static final byte[] MANIFEST_SEED = filled((byte) 0x42);
    static final byte[] LEDGER_SEED = filled((byte) 0x43);
    static final SigningSeed MANIFEST_KEY = SigningSeed.of(MANIFEST_SEED);
    static final SigningSeed LEDGER_KEY = SigningSeed.of(LEDGER_SEED);
    static final String SUFFIX = "2f505249534d2f" + "00".repeat(12);
    private static final long ANCHOR = 1_700_000_000_000L;

    private CompileInputs() {}

    static AuditBuildInput random(Random random) {
        int shares = 1 + random.nextInt(60);
        int miners = 1 + random.nextInt(6);
        List<WindowShare> window = shares(shares, miners, random);
        FoundBlock block = new FoundBlock(
                1 + random.nextInt(100_000),
                1_000_000_000L + random.nextInt(1_000_000_000),
                U128.ofUnsigned(1 + random.nextInt(1000)),
                ANCHOR);
        Optional<CtvSettlement> settlement = random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new CtvSettlement(
                        100_000_000L, SettlementLimits.DEFAULT, Optional.of(new FanoutFeePolicy(1000, 12_000))));
        return new AuditBuildInput(
                window,
                new BlockTerms(block, List.of(), PayoutPolicy.DAY_ONE, Optional.of(SUFFIX), List.of(), settlement));
    }

    static AuditBuildInput ofShares(int count) {
        FoundBlock block = new FoundBlock(70_000, 5_000_000_000L, U128.ofUnsigned(1_000_000_000), ANCHOR);
        return new AuditBuildInput(
                shares(count, 1000, new Random(1)),
                new BlockTerms(
                        block, List.of(), PayoutPolicy.DAY_ONE, Optional.of(SUFFIX), List.of(), Optional.empty()));
    }

    /** The next template on the same shares: another height, value and transactions. */
    static AuditBuildInput nextBlock(AuditBuildInput input) {
        BlockTerms terms = input.terms();
        FoundBlock block = terms.foundBlock();
        FoundBlock next = new FoundBlock(
                block.blockHeight() + 1,
                block.coinbaseValueSats() + 12_345,
                block.networkDifficulty(),
                block.anchorJobIssuedAtMs());
        return new AuditBuildInput(
                input.shares(),
                new BlockTerms(
                        next,
                        terms.priorBalances(),
                        terms.payoutPolicy(),
                        terms.coinbaseScriptSigSuffixHex(),
                        List.of("77".repeat(32)),
                        terms.ctvSettlement()));
    }

    private static List<WindowShare> shares(int count, int miners, Random random) {
        List<PayoutIdentity> identities = new ArrayList<>();
        for (int m = 0; m < miners; m++) {
            String name = "miner-" + m;
            identities.add(new PayoutIdentity(name, name, String.format("%064x", m + 1)));
        }
        List<WindowShare> shares = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            shares.add(new WindowShare(
                    i,
                    "share-" + i,
                    identities.get(random.nextInt(miners)),
                    U128.ofUnsigned(1 + random.nextInt(1000)),
                    U128.ofUnsigned(1000),
                    99,
                    "job-" + i % 7,
                    ANCHOR - count + i - 1,
                    ANCHOR - count + i,
                    1_700_000_000L,
                    i % 13 == 0 ? Optional.of("stale-grace") : Optional.empty()));
        }
        return List.copyOf(shares);
    }

    private static byte[] filled(byte value) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, value);
        return bytes;
    }
}

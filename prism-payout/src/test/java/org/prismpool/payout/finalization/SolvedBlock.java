package org.prismpool.payout.finalization;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.state.ProspectiveBalances;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.OfferOutcome;
import org.prismpool.templates.block.OfferedCandidate;
import org.prismpool.templates.chain.Hash256;

/** A block of a small pool with a coinbase that its inputs really produce. */
record SolvedBlock(CandidateIntent intent, List<PriorBalance> after) {

    static final SigningSeed MANIFEST_KEY = SigningSeed.ofHex("42".repeat(32));
    static final SigningSeed LEDGER_KEY = SigningSeed.ofHex("43".repeat(32));
    static final U128 DIFFICULTY = U128.ofUnsigned(1000);
    static final long ANCHOR = 1_700_000_001_000L;
    static final PayoutIdentity MINER_A = new PayoutIdentity("miner-a", "01", "aa".repeat(32));
    static final PayoutIdentity MINER_B = new PayoutIdentity("miner-b", "02", "bb".repeat(32));

    /** Miner a has 3000 of work, miner b 1: its share stays below the payout floor and is carried forward. */
    static List<WindowShare> shares() {
        List<WindowShare> shares = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            shares.add(share(i, MINER_A, 100));
        }
        shares.add(share(31, MINER_B, 1));
        return List.copyOf(shares);
    }

    static WindowShare share(long seq, PayoutIdentity identity, long difficulty) {
        return new WindowShare(
                seq,
                "share-" + seq,
                identity,
                U128.ofUnsigned(difficulty),
                DIFFICULTY,
                9,
                "job-1",
                ANCHOR - 1000 + seq,
                ANCHOR - 900 + seq,
                1_700_000_000L,
                Optional.empty());
    }

    static SolvedBlock at(long height, Hash256 hash, Hash256 parent, List<PriorBalance> prior) {
        long value = 1_000_000;
        FoundBlock found = new FoundBlock(height, value, DIFFICULTY, ANCHOR);
        BuildInputs rules = new BuildInputs(PayoutPolicy.DAY_ONE, Optional.empty());
        String suffix = "2f505249534d2f" + "00000001" + "cafebabe00000001";
        AuditBundle bundle = new AuditBundleBuilder(MANIFEST_KEY, LEDGER_KEY)
                .build(new AuditBuildInput(
                        shares(),
                        new BlockTerms(
                                found, prior, rules.payoutPolicy(), Optional.of(suffix), List.of(), Optional.empty())));
        List<PriorBalance> after =
                ProspectiveBalances.after(prior, bundle.payoutPolicyManifest().accounts());
        IntentWork work =
                new IntentWork(shares(), prior, found, Optional.of(after), List.of(), Optional.of(rules), false);
        String coinbase = bundle.signedCoinbaseManifest().manifest().coinbaseTxHex();
        CandidateIntent.Solution solution = new CandidateIntent.Solution(
                hash, parent, height, value, "00".repeat(80), coinbase, "00000001", "cafebabe00000001");
        IntentShare share = new IntentShare(
                "miner-a.rig:" + hash.displayHex(),
                MINER_A,
                U128.ofUnsigned(100),
                DIFFICULTY,
                height - 1,
                "prism-1",
                ANCHOR - 10,
                ANCHOR + 10,
                1_700_000_001L,
                Optional.empty());
        return new SolvedBlock(new CandidateIntent(solution, work, "miner-a.rig", share, false), after);
    }

    static Hash256 hash(int n) {
        return Hash256.ofDisplayHex(String.format("%064x", n));
    }

    /** What the pool owes before the first block: without it nobody could be paid what miner b leaves. */
    static List<PriorBalance> owedBefore() {
        return List.of(balance(MINER_A, 20_000));
    }

    static SolvedBlock first() {
        return at(10, hash(10), hash(9), owedBefore());
    }

    Hash256 hash() {
        return intent.solution().hash();
    }

    long height() {
        return intent.solution().height();
    }

    BlockCandidate candidate() {
        CandidateIntent.Solution s = intent.solution();
        return new BlockCandidate(
                s.hash(),
                s.parent(),
                s.height(),
                s.blockHex(),
                s.coinbaseHex(),
                IntentCodec.encode(intent).json(),
                intent.creditShareOnAccept()
                        ? BlockCandidate.ShareCredit.WHEN_LANDED
                        : BlockCandidate.ShareCredit.COMMITTED);
    }

    OfferedCandidate offered(OfferOutcome outcome) {
        return new OfferedCandidate(candidate(), outcome, outcome.offered(), false, 1, 1);
    }

    SolvedBlock crediting() {
        return new SolvedBlock(
                new CandidateIntent(intent.solution(), intent.work(), intent.username(), intent.share(), true), after);
    }

    SolvedBlock withCoinbase(String hex) {
        CandidateIntent.Solution s = intent.solution();
        return new SolvedBlock(
                new CandidateIntent(
                        new CandidateIntent.Solution(
                                s.hash(),
                                s.parent(),
                                s.height(),
                                s.coinbaseValueSats(),
                                s.blockHex(),
                                hex,
                                s.extranonce1Hex(),
                                s.extranonce2Hex()),
                        intent.work(),
                        intent.username(),
                        intent.share(),
                        false),
                after);
    }

    static PriorBalance balance(PayoutIdentity identity, long sats) {
        return PriorBalance.of(identity, BigInteger.valueOf(sats));
    }
}

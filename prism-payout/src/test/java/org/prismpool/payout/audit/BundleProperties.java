package org.prismpool.payout.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.coinbase.CoinbaseOutput;
import org.prismpool.payout.ctv.CtvSettlement;
import org.prismpool.payout.ctv.FanoutFee;
import org.prismpool.payout.ctv.FanoutFeePolicy;
import org.prismpool.payout.ctv.FanoutManifest;
import org.prismpool.payout.ctv.SettlementLimits;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.CoinbaseOutputPolicy;
import org.prismpool.payout.reward.PayoutAccount;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PoolFee;
import org.prismpool.payout.reward.PoolFeePolicy;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WindowShare;

class BundleProperties {

    private static final AuditBundleBuilder BUILDER =
            new AuditBundleBuilder(SigningSeed.ofHex(Vectors.COINBASE_SEED), SigningSeed.ofHex(Vectors.LEDGER_SEED));
    private static final AuditVerifier VERIFIER = new AuditVerifier(Vectors.LEDGER_KEY);

    // Members that nothing authenticates (payout specification 10.2).
    private static final Set<String> FREE_SHARE_MEMBERS =
            Set.of("network_difficulty", "template_height", "job_id", "ntime");
    private static final Set<String> FREE_DECISION_MEMBERS = Set.of(
            "reason",
            "direct_recipient_count",
            "fanout_recipient_count",
            "direct_amount_sats",
            "fanout_amount_sats",
            "total_amount_sats",
            "coinbase_settlement_output_count",
            "reserved_coinbase_output_count",
            "recipient_count",
            "amount_sats",
            "chunk_index");

    @Property(tries = 70)
    void theBooksBalanceAndTheBundleVerifies(@ForAll Random random) {
        AuditBuildInput input = input(random);
        Optional<AuditBundle> built = build(input);
        if (built.isEmpty()) {
            return; // the policy refused the case with a contract text
        }
        AuditBundle bundle = built.get();
        BigInteger value = BigInteger.valueOf(input.terms().foundBlock().coinbaseValueSats());
        PayoutPolicyManifest policy = bundle.payoutPolicyManifest();

        BigInteger outputs = BigInteger.ZERO;
        for (CoinbaseOutput output : bundle.signedCoinbaseManifest().manifest().outputs()) {
            outputs = outputs.add(BigInteger.valueOf(output.amountSats()));
        }
        assertThat(outputs).isEqualTo(value);
        BigInteger gross = BigInteger.valueOf(
                policy.poolFee().map(PoolFee::earnedPoolFeeSats).orElse(0L));
        for (PayoutAccount account : policy.accounts()) {
            assertThat(account.priorBalanceSats().add(BigInteger.valueOf(account.grossAmountSats())))
                    .isEqualTo(account.carryForwardBalanceSats().add(BigInteger.valueOf(account.onchainAmountSats())));
            if (account.type() == PayoutAccount.AccountType.MINER) {
                gross = gross.add(BigInteger.valueOf(account.grossAmountSats()));
                assertThat(account.onchainAmountSats())
                        .matches(amount -> amount == 0 || amount >= policy.minOutputSats());
            }
        }
        assertThat(gross).isEqualTo(value);
        VerificationReport report = VERIFIER.verify(reread(bundle));
        assertThat(report.auditBundleSha256Hex()).isEqualTo(bundle.sha256Hex());
    }

    @Property(tries = 30)
    void theOrderOfTheInputDecidesOnlyTheListedShares(@ForAll Random random) {
        AuditBuildInput input = input(random);
        List<WindowShare> shuffled = new ArrayList<>(input.shares());
        Collections.shuffle(shuffled, random);

        Optional<AuditBundle> straight = build(input);
        Optional<AuditBundle> mixed = build(new AuditBuildInput(shuffled, input.terms()));

        assertThat(mixed.map(bundle -> bundle.withShares(input.shares()).sha256Hex()))
                .isEqualTo(straight.map(AuditBundle::sha256Hex));
    }

    @Property(tries = 60)
    void aliasesOfOneProgramArePaidExactlyLikeOneMiner(@ForAll Random random) {
        AuditBuildInput input = input(random);
        Set<String> kept = new HashSet<>();
        List<WindowShare> renamed = new ArrayList<>(input.shares());
        for (int i = renamed.size() - 1; i >= 0; i--) {
            PayoutIdentity old = renamed.get(i).identity();
            // The newest share of a miner counts if any of his does; it keeps the name, and every alias sorts behind
            // that.
            if (!kept.add(old.programHex()) && random.nextBoolean()) {
                PayoutIdentity alias = new PayoutIdentity(
                        old.recipientId() + ".rig" + random.nextInt(3), old.orderKey() + "z", old.programHex());
                renamed.set(i, withIdentity(renamed.get(i), alias));
            }
        }

        Optional<AuditBundle> plain = build(input);
        Optional<AuditBundle> aliased = build(new AuditBuildInput(renamed, input.terms()));

        assertThat(aliased.map(AuditBundle::payoutPolicyManifest))
                .isEqualTo(plain.map(AuditBundle::payoutPolicyManifest));
        assertThat(aliased.map(AuditBundle::settlementModeDecision))
                .isEqualTo(plain.map(AuditBundle::settlementModeDecision));
        if (plain.isPresent() && plain.get().ctvFanoutManifestSet().isEmpty()) {
            assertThat(outputs(aliased.orElseThrow())).isEqualTo(outputs(plain.get()));
        }
    }

    private static List<CoinbaseOutput> outputs(AuditBundle bundle) {
        return bundle.signedCoinbaseManifest().manifest().outputs();
    }

    @Property(tries = 150)
    void anyChangedMemberAtAllFailsVerificationOrGivesAnotherPublicIdentity(@ForAll Random random) {
        Optional<AuditBundle> built = build(input(random));
        if (built.isEmpty()) {
            return;
        }
        JsonNode document = Vectors.parse(built.get().canonicalBytes());
        List<Site> sites = new ArrayList<>();
        collect(document, "", sites, false);
        Site site = sites.get(random.nextInt(sites.size()));
        site.change(random);

        Optional<String> identity = verifiedIdentity(Vectors.bytes(document));

        assertThat(identity)
                .as("change at %s", site.path())
                .isNotEqualTo(Optional.of(built.get().sha256Hex()));
    }

    private static Optional<String> verifiedIdentity(byte[] document) {
        try {
            return Optional.of(
                    VERIFIER.verify(AuditBundle.read(ExactReader.of(document))).auditBundleSha256Hex());
        } catch (PayoutRuleException | JsonException e) {
            return Optional.empty();
        }
    }

    @Property(tries = 150)
    void anyChangedMemberFailsVerification(@ForAll Random random) {
        Optional<AuditBundle> built = build(input(random));
        if (built.isEmpty()) {
            return;
        }
        JsonNode document = Vectors.parse(built.get().canonicalBytes());
        Set<Long> counted = new HashSet<>();
        document.at("/reward_manifest/shares")
                .forEach(share -> counted.add(share.get("share_seq").asLong()));
        List<Site> sites = new ArrayList<>();
        collect(document, "", sites, true);
        sites.removeIf(site -> site.path().startsWith("/shares/")
                && !counted.contains(
                        site.parent().path("share_seq").asLong())); // uncounted shares are not authenticated
        Site site = sites.get(random.nextInt(sites.size()));
        site.change(random);

        Throwable failure =
                catchThrowable(() -> VERIFIER.verify(AuditBundle.read(ExactReader.of(Vectors.bytes(document)))));

        assertThat(failure)
                .as("change at %s", site.path())
                .isInstanceOfAny(PayoutRuleException.class, JsonException.class);
        assertThat(failure.getMessage()).isNotEmpty().doesNotContain("\n");
    }

    @Property(tries = 20)
    void canonicalBytesAreAFixedPoint(@ForAll Random random) {
        build(input(random)).ifPresent(bundle -> {
            byte[] bytes = bundle.canonicalBytes();
            assertThat(AuditBundle.read(ExactReader.of(bytes)).canonicalBytes()).isEqualTo(bytes);
        });
    }

    @Property(tries = 40)
    void everyFanoutHasTheWeightThatItsFeeWasEstimatedFor(@ForAll Random random) {
        Optional<AuditBundle> built = build(input(random));
        if (built.isEmpty() || built.get().ctvFanoutManifestSet().isEmpty()) {
            return;
        }
        for (FanoutManifest manifest : built.get().ctvFanoutManifestSet().get().manifests()) {
            int payouts = manifest.precommitment().outputs().size();
            long anchor = manifest.precommitment().anchorVout().isEmpty() ? 0 : 13;
            assertThat(manifest.fanoutTxHex().length() / 2).isEqualTo((int) (FanoutFee.weight(payouts) + anchor));
        }
    }

    private record Site(JsonNode parent, String name, int index, String path) {

        void change(Random random) {
            JsonNode old = parent instanceof ArrayNode array ? array.get(index) : parent.get(name);
            JsonNode changed;
            if (old.isTextual()) {
                changed = TextNode.valueOf(old.asText().isEmpty() ? "x" : flipped(old.asText(), random));
            } else {
                changed = LongNode.valueOf(old.asLong() == 0 ? 1 : old.asLong() ^ 1);
            }
            if (parent instanceof ArrayNode array) {
                array.set(index, changed);
            } else {
                ((ObjectNode) parent).set(name, changed);
            }
        }

        private static String flipped(String text, Random random) {
            int at = random.nextInt(text.length());
            char c = text.charAt(at);
            char other = c == '0' ? '1' : '0';
            return text.substring(0, at) + other + text.substring(at + 1);
        }
    }

    private static void collect(JsonNode node, String path, List<Site> sites, boolean authenticatedOnly) {
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i).isContainerNode()) {
                    collect(array.get(i), path + "/" + i, sites, authenticatedOnly);
                } else {
                    sites.add(new Site(array, "", i, path + "/" + i));
                }
            }
            return;
        }
        node.fieldNames().forEachRemaining(name -> {
            String child = path + "/" + name;
            boolean free = authenticatedOnly && isFree(path, name);
            if (free) {
                return;
            }
            if (node.get(name).isContainerNode()) {
                collect(node.get(name), child, sites, authenticatedOnly);
            } else {
                sites.add(new Site(node, name, 0, child));
            }
        });
    }

    private static boolean isFree(String path, String name) {
        return (path.matches("/shares/\\d+") && FREE_SHARE_MEMBERS.contains(name))
                || path.equals("/payout_policy")
                || (path.startsWith("/settlement_mode_decision")
                        && !path.contains("direct_recipients")
                        && (FREE_DECISION_MEMBERS.contains(name) || path.contains("fanout_chunks")))
                || name.equals("ctv_fanout_fee_policy");
    }

    private static Optional<AuditBundle> build(AuditBuildInput input) {
        try {
            return Optional.of(BUILDER.build(input));
        } catch (PayoutRuleException e) {
            return Optional.empty();
        }
    }

    private static AuditBundle reread(AuditBundle bundle) {
        return AuditBundle.read(ExactReader.of(bundle.canonicalBytes()));
    }

    private static AuditBuildInput input(Random random) {
        int miners = 1 + random.nextInt(12);
        List<WindowShare> shares = new ArrayList<>();
        int count = 1 + random.nextInt(40);
        for (int seq = 1; seq <= count; seq++) {
            shares.add(share(random, seq, random.nextInt(miners)));
        }
        List<PriorBalance> priors = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            priors.add(PriorBalance.of(
                    identity(random.nextInt(miners + 3)), BigInteger.valueOf(random.nextInt(80_000) - 20_000)));
        }
        Optional<PoolFeePolicy> fee = random.nextInt(3) == 0
                ? Optional.empty()
                : Optional.of(new PoolFeePolicy(
                        random.nextInt(500),
                        new PayoutIdentity("pool", random.nextBoolean() ? "00" : "zz", "ee".repeat(32))));
        CoinbaseOutputPolicy order = fee != null && random.nextBoolean()
                ? CoinbaseOutputPolicy.POOL_FEE_FIRST
                : CoinbaseOutputPolicy.CANONICAL;
        PayoutPolicy policy = new PayoutPolicy(
                3680,
                1,
                4,
                random.nextBoolean() ? Optional.empty() : Optional.of(900L + random.nextInt(5000)),
                fee,
                order);
        FoundBlock block =
                new FoundBlock(101, 50_000 + random.nextInt(5_000_000), U128.ofUnsigned(1 + random.nextInt(200)), 1000);
        return new AuditBuildInput(
                shares,
                new BlockTerms(
                        block,
                        priors,
                        policy,
                        random.nextBoolean() ? Optional.empty() : Optional.of("aabb"),
                        random.nextBoolean() ? List.of() : List.of("77".repeat(32)),
                        settlement(random)));
    }

    private static Optional<CtvSettlement> settlement(Random random) {
        if (random.nextBoolean()) {
            return Optional.empty();
        }
        return Optional.of(new CtvSettlement(
                1 + random.nextInt(1_000_000),
                new SettlementLimits(4 + random.nextInt(12), 1 + random.nextInt(6), 1 + random.nextInt(6), 0),
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(new FanoutFeePolicy(1 + random.nextInt(1500), 12000))));
    }

    private static WindowShare share(Random random, int seq, int miner) {
        return new WindowShare(
                seq,
                "share-" + seq,
                identity(miner),
                U128.ofUnsigned(1 + random.nextInt(100)),
                U128.ONE,
                100,
                "job-é",
                900 + random.nextInt(101),
                1000,
                7,
                random.nextInt(30) == 0 ? Optional.of("stale-grace") : Optional.empty());
    }

    private static PayoutIdentity identity(int miner) {
        return new PayoutIdentity(
                "miner-" + miner, String.format("%02d", 99 - miner), String.format("%064x", miner + 10));
    }

    private static WindowShare withIdentity(WindowShare share, PayoutIdentity identity) {
        return new WindowShare(
                share.shareSeq(),
                share.shareId(),
                identity,
                share.shareDifficulty(),
                share.networkDifficulty(),
                share.templateHeight(),
                share.jobId(),
                share.jobIssuedAtMs(),
                share.acceptedAtMs(),
                share.ntime(),
                share.creditPolicy());
    }
}

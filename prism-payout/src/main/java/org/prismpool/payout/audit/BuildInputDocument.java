package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.ctv.CtvSettlement;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WindowShare;

/** The members of a build input or a serve request as they were read. */
final class BuildInputDocument {

    private static final Name WINDOW_KEY = Name.of("window_key");
    private static final Name SHARE_SNAPSHOT = Name.of("share_snapshot_sha256");
    private static final Name SHARES = Name.of("shares");
    private static final Name IDENTITIES = Name.of("compact_share_identities");
    private static final Name COMPACT_SHARES = Name.of("compact_shares");
    private static final Name FOUND_BLOCK = Name.of("found_block");
    private static final Name PRIOR_BALANCES = Name.of("prior_balances");
    private static final Name PAYOUT_POLICY = Name.of("payout_policy");
    private static final Name SUFFIX = Name.of("coinbase_script_sig_suffix_hex");
    private static final Name WITNESS_LEAVES = Name.of("witness_merkle_leaves_hex");
    private static final Name CTV_SETTLEMENT = Name.of("ctv_settlement");
    private static final ObjectShape INPUT = ObjectShape.required(
                    SHARES,
                    IDENTITIES,
                    COMPACT_SHARES,
                    FOUND_BLOCK,
                    PRIOR_BALANCES,
                    PAYOUT_POLICY,
                    SUFFIX,
                    WITNESS_LEAVES,
                    CTV_SETTLEMENT)
            .except(
                    SHARES,
                    IDENTITIES,
                    COMPACT_SHARES,
                    PRIOR_BALANCES,
                    PAYOUT_POLICY,
                    SUFFIX,
                    WITNESS_LEAVES,
                    CTV_SETTLEMENT);
    private static final ObjectShape REQUEST = ObjectShape.required(
                    WINDOW_KEY,
                    IDENTITIES,
                    COMPACT_SHARES,
                    FOUND_BLOCK,
                    PRIOR_BALANCES,
                    PAYOUT_POLICY,
                    SUFFIX,
                    WITNESS_LEAVES,
                    CTV_SETTLEMENT)
            .except(IDENTITIES, COMPACT_SHARES, PRIOR_BALANCES, PAYOUT_POLICY, SUFFIX, WITNESS_LEAVES, CTV_SETTLEMENT);
    private static final ObjectShape KEY = ObjectShape.required(SHARE_SNAPSHOT);

    final List<WindowShare> shares = new ArrayList<>();
    final List<PayoutIdentity> identities = new ArrayList<>();
    final List<CompactShare> compactShares = new ArrayList<>();
    String windowKey = "";

    private final List<PriorBalance> priorBalances = new ArrayList<>();
    private final List<String> witnessLeaves = new ArrayList<>();
    private final IdentityPool pool = new IdentityPool();
    private FoundBlock foundBlock = new FoundBlock(0, 0, U128.ZERO, 0);
    private PayoutPolicy policy = PayoutPolicy.DAY_ONE;
    private Optional<String> suffix = Optional.empty();
    private Optional<CtvSettlement> settlement = Optional.empty();

    /** A share whose identity is an index into the list of identities. */
    record CompactShare(
            long shareSeq,
            String shareId,
            long identityIndex,
            U128 shareDifficulty,
            long jobIssuedAtMs,
            long acceptedAtMs,
            Optional<String> creditPolicy) {}

    private BuildInputDocument() {}

    static BuildInputDocument read(ExactReader in) {
        return read(in, INPUT);
    }

    static BuildInputDocument readRequest(ExactReader in) {
        return read(in, REQUEST);
    }

    AuditBuildInput toInput(boolean summaryOnly) {
        if (compactShares.isEmpty()) {
            if (!identities.isEmpty()) {
                throw new PayoutRuleException("compact share identities were supplied without compact shares");
            }
            return new AuditBuildInput(shares, terms());
        }
        if (!summaryOnly) {
            throw new PayoutRuleException("compact shares are valid only with --job-summary-output");
        }
        if (!shares.isEmpty()) {
            throw new PayoutRuleException("full and compact shares are mutually exclusive");
        }
        return new AuditBuildInput(expanded(), terms());
    }

    List<WindowShare> expanded() {
        List<WindowShare> expanded = new ArrayList<>(compactShares.size());
        for (CompactShare each : compactShares) {
            if (Long.compareUnsigned(each.identityIndex(), identities.size()) >= 0) {
                throw new PayoutRuleException("compact share identity index is out of range");
            }
            expanded.add(new WindowShare(
                    each.shareSeq(),
                    each.shareId(),
                    identities.get((int) each.identityIndex()),
                    each.shareDifficulty(),
                    U128.ONE,
                    0,
                    "",
                    each.jobIssuedAtMs(),
                    each.acceptedAtMs(),
                    0,
                    each.creditPolicy()));
        }
        return expanded;
    }

    BlockTerms terms() {
        return new BlockTerms(foundBlock, priorBalances, policy, suffix, witnessLeaves, settlement);
    }

    private static BuildInputDocument read(ExactReader in, ObjectShape shape) {
        BuildInputDocument document = new BuildInputDocument();
        ObjectCursor member = in.object(shape);
        while (member.next()) {
            document.readMember(member.name(), in);
        }
        in.end();
        return document;
    }

    private void readMember(String name, ExactReader in) {
        switch (name) {
            case "window_key" -> {
                ObjectCursor key = in.object(KEY);
                while (key.next()) {
                    windowKey = in.text();
                }
            }
            case "shares" -> {
                in.array();
                while (in.hasElement()) {
                    shares.add(WindowShare.read(in, pool));
                }
            }
            case "compact_share_identities" -> {
                in.array();
                while (in.hasElement()) {
                    identities.add(identity(in));
                }
            }
            case "compact_shares" -> {
                in.array();
                while (in.hasElement()) {
                    compactShares.add(compactShare(in));
                }
            }
            case "found_block" -> foundBlock = FoundBlock.read(in);
            case "prior_balances" -> {
                in.array();
                while (in.hasElement()) {
                    priorBalances.add(PriorBalance.read(in));
                }
            }
            case "payout_policy" -> {
                policy = in.optional(() -> PayoutPolicy.read(in)).orElse(PayoutPolicy.DAY_ONE);
            }
            case "coinbase_script_sig_suffix_hex" -> suffix = in.optional(in::text);
            case "witness_merkle_leaves_hex" -> {
                in.array();
                while (in.hasElement()) {
                    witnessLeaves.add(in.text());
                }
            }
            default -> settlement = in.optional(() -> CtvSettlement.read(in));
        }
    }

    private static PayoutIdentity identity(ExactReader in) {
        in.array();
        String[] texts = new String[3];
        for (int i = 0; i < texts.length; i++) {
            element(in);
            texts[i] = in.text();
        }
        endTuple(in);
        return new PayoutIdentity(texts[0], texts[1], texts[2]);
    }

    private static CompactShare compactShare(ExactReader in) {
        in.array();
        element(in);
        long shareSeq = in.unsigned64();
        element(in);
        String shareId = in.text();
        element(in);
        long identityIndex = in.unsigned64();
        element(in);
        U128 difficulty = in.unsigned128();
        element(in);
        long issued = in.signed64();
        element(in);
        long accepted = in.signed64();
        element(in);
        Optional<String> creditPolicy = in.optional(in::sharedText);
        endTuple(in);
        return new CompactShare(shareSeq, shareId, identityIndex, difficulty, issued, accepted, creditPolicy);
    }

    private static void element(ExactReader in) {
        if (!in.hasElement()) {
            throw in.error("tuple has too few elements");
        }
    }

    private static void endTuple(ExactReader in) {
        if (in.hasElement()) {
            throw in.error("tuple has too many elements");
        }
    }
}

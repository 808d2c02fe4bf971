package org.prismpool.payout.finalization;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
import org.prismpool.payout.window.WindowShare;
import org.prismpool.templates.chain.Hash256;

/** Reads one intent; used once. */
final class IntentDecoder {

    private static final ObjectShape INTENT = shape(
                    "schema",
                    "block_hash_hex",
                    "block_hex",
                    "coinbase_tx_hex",
                    "parent_hash",
                    "expected_height",
                    "template",
                    "shares_json",
                    "prior_balances",
                    "found_block",
                    "prospective_prior_balances",
                    "witness_merkle_leaves_hex",
                    "extranonce1_hex",
                    "extranonce2_hex",
                    "username",
                    "pending_share",
                    "credit_share_on_accept",
                    "collection_only",
                    "build_inputs")
            .except(Name.of("build_inputs"), Name.of("prospective_prior_balances"));
    private static final ObjectShape TEMPLATE = shape("previousblockhash", "height", "coinbasevalue");
    private static final ObjectShape SHARE = shape(
                    "share_id",
                    "miner_id",
                    "order_key",
                    "p2mr_program_hex",
                    "share_difficulty",
                    "network_difficulty",
                    "template_height",
                    "job_id",
                    "job_issued_at_ms",
                    "accepted_at_ms",
                    "ntime",
                    "credit_policy")
            .except(Name.of("credit_policy"));
    private static final ObjectShape BUILD_INPUTS =
            shape("payout_policy", "ctv_settlement").except(Name.of("ctv_settlement"));

    private final ExactReader in;
    private final IdentityPool identities = new IdentityPool();

    private String schema = "";
    private String hash = "";
    private String blockHex = "";
    private String coinbaseHex = "";
    private String parent = "";
    private long height;
    private String templateParent = "";
    private long templateHeight;
    private long coinbaseValue;
    private String extranonce1 = "";
    private String extranonce2 = "";
    private String username = "";
    private boolean creditOnAccept;
    private boolean collectionOnly;
    private List<WindowShare> shares = List.of();
    private List<PriorBalance> priorBalances = List.of();
    private Optional<List<PriorBalance>> prospective = Optional.empty();
    private List<String> witnessLeaves = List.of();
    private @Nullable FoundBlock foundBlock;
    private @Nullable IntentShare share;
    private Optional<BuildInputs> buildInputs = Optional.empty();

    IntentDecoder(byte[] document) {
        this.in = ExactReader.of(document);
    }

    CandidateIntent decode() {
        ObjectCursor member = in.object(INTENT);
        while (member.next()) {
            if (!readSolution(member.name()) && !readWork(member.name())) {
                readRest(member.name());
            }
        }
        in.end();
        require(CandidateIntent.SCHEMA.equals(schema), "unexpected schema");
        require(templateParent.equals(parent), "template parent differs from parent_hash");
        require(templateHeight == height, "template height differs from expected_height");
        CandidateIntent.Solution solution = new CandidateIntent.Solution(
                Hash256.ofDisplayHex(hash),
                Hash256.ofDisplayHex(parent),
                height,
                coinbaseValue,
                blockHex,
                coinbaseHex,
                extranonce1,
                extranonce2);
        return new CandidateIntent(solution, work(), username, present(share, "pending_share"), creditOnAccept);
    }

    private IntentWork work() {
        return new IntentWork(
                shares,
                priorBalances,
                present(foundBlock, "found_block"),
                prospective,
                witnessLeaves,
                buildInputs,
                collectionOnly);
    }

    private boolean readSolution(String name) {
        switch (name) {
            case "schema" -> schema = in.text();
            case "block_hash_hex" -> hash = in.text();
            case "block_hex" -> blockHex = in.text();
            case "coinbase_tx_hex" -> coinbaseHex = in.text();
            case "parent_hash" -> parent = in.text();
            case "expected_height" -> height = in.unsigned(0xffff_ffffL);
            case "template" -> readTemplate();
            case "extranonce1_hex" -> extranonce1 = in.text();
            case "extranonce2_hex" -> extranonce2 = in.text();
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean readWork(String name) {
        switch (name) {
            case "shares_json" -> shares = List.copyOf(list(() -> WindowShare.read(in, identities)));
            case "prior_balances" -> priorBalances = list(() -> PriorBalance.read(in));
            case "prospective_prior_balances" -> prospective = in.optional(() -> list(this::prospectiveRow));
            case "found_block" -> foundBlock = FoundBlock.read(in);
            case "witness_merkle_leaves_hex" -> witnessLeaves = list(in::text);
            case "build_inputs" -> buildInputs = in.optional(this::readBuildInputs);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void readRest(String name) {
        switch (name) {
            case "username" -> username = in.text();
            case "credit_share_on_accept" -> creditOnAccept = in.bool();
            case "collection_only" -> collectionOnly = in.bool();
            default -> share = readShare();
        }
    }

    private void readTemplate() {
        ObjectCursor member = in.object(TEMPLATE);
        while (member.next()) {
            switch (member.name()) {
                case "previousblockhash" -> templateParent = in.text();
                case "height" -> templateHeight = in.unsigned(0xffff_ffffL);
                default -> coinbaseValue = in.unsigned64();
            }
        }
    }

    private IntentShare readShare() {
        String shareId = "";
        String minerId = "";
        String orderKey = "";
        String program = "";
        U128 shareDifficulty = U128.ZERO;
        U128 networkDifficulty = U128.ZERO;
        long shareHeight = 0;
        String jobId = "";
        long jobIssuedAtMs = 0;
        long acceptedAtMs = 0;
        long ntime = 0;
        Optional<String> creditPolicy = Optional.empty();
        ObjectCursor member = in.object(SHARE);
        while (member.next()) {
            switch (member.name()) {
                case "share_id" -> shareId = in.text();
                case "miner_id" -> minerId = in.text();
                case "order_key" -> orderKey = in.text();
                case "p2mr_program_hex" -> program = in.text();
                case "share_difficulty" -> shareDifficulty = in.unsigned128();
                case "network_difficulty" -> networkDifficulty = in.unsigned128();
                case "template_height" -> shareHeight = in.unsigned64();
                case "job_id" -> jobId = in.text();
                case "job_issued_at_ms" -> jobIssuedAtMs = in.signed64();
                case "accepted_at_ms" -> acceptedAtMs = in.signed64();
                case "ntime" -> ntime = in.unsigned32();
                default -> creditPolicy = in.optional(in::text);
            }
        }
        return new IntentShare(
                shareId,
                new PayoutIdentity(minerId, orderKey, program),
                shareDifficulty,
                networkDifficulty,
                shareHeight,
                jobId,
                jobIssuedAtMs,
                acceptedAtMs,
                ntime,
                creditPolicy);
    }

    private BuildInputs readBuildInputs() {
        PayoutPolicy policy = PayoutPolicy.DAY_ONE;
        Optional<CtvSettlement> settlement = Optional.empty();
        ObjectCursor member = in.object(BUILD_INPUTS);
        while (member.next()) {
            if (member.name().equals("payout_policy")) {
                policy = PayoutPolicy.read(in);
            } else {
                settlement = in.optional(() -> CtvSettlement.read(in));
            }
        }
        return new BuildInputs(policy, settlement);
    }

    private PriorBalance prospectiveRow() {
        List<Object> row = new ArrayList<>(4);
        in.array();
        while (in.hasElement()) {
            row.add(row.size() < 3 ? in.text() : in.signed128());
        }
        require(row.size() == 4, "a prospective balance has four elements");
        return new PriorBalance((String) row.get(0), (String) row.get(1), (String) row.get(2), (BigInteger) row.get(3));
    }

    private interface Element<T> {
        T read();
    }

    private <T> List<T> list(Element<T> element) {
        List<T> elements = new ArrayList<>();
        in.array();
        while (in.hasElement()) {
            elements.add(element.read());
        }
        return elements;
    }

    private static <T> T present(@Nullable T value, String name) {
        if (value == null) {
            throw new IllegalArgumentException("missing " + name);
        }
        return value;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    private static ObjectShape shape(String... names) {
        Name[] all = new Name[names.length];
        for (int i = 0; i < names.length; i++) {
            all[i] = Name.of(names[i]);
        }
        return ObjectShape.required(all);
    }
}

package org.prismpool.payout.reorg;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.reward.MaturityEntry;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.window.PayoutRuleException;

/**
 * Proves that a reorganisation leaves the books right (payout specification 8.16 and 14): every entry of the disconnected
 * block reverses, and what is owed afterwards is exactly what the replacement branch owes. A pure calculation.
 */
public final class ReorgVerifier {

    private ReorgVerifier() {}

    /**
     * A block and who it pays.
     *
     * @param blockHash the block
     * @param blockHeight its height, unsigned 64 bits
     * @param payoutPolicyManifest who it pays
     */
    public record Branch(String blockHash, long blockHeight, PayoutPolicyManifest payoutPolicyManifest) {}

    /**
     * The question.
     *
     * @param disconnected block that left the chain
     * @param replacement block that took its place
     * @param activeTipHeight height of the tip, unsigned 64 bits; empty for the replacement's height
     */
    public record Request(Branch disconnected, Branch replacement, Optional<Long> activeTipHeight) {

        private static final Name DISCONNECTED_HASH = Name.of("disconnected_block_hash");
        private static final Name DISCONNECTED_HEIGHT = Name.of("disconnected_block_height");
        private static final Name DISCONNECTED_MANIFEST = Name.of("disconnected_payout_policy_manifest");
        private static final Name REPLACEMENT_HASH = Name.of("replacement_block_hash");
        private static final Name REPLACEMENT_HEIGHT = Name.of("replacement_block_height");
        private static final Name REPLACEMENT_MANIFEST = Name.of("replacement_payout_policy_manifest");
        private static final Name ACTIVE_TIP_HEIGHT = Name.of("active_tip_height");
        private static final ObjectShape SHAPE = ObjectShape.required(
                        DISCONNECTED_HASH,
                        DISCONNECTED_HEIGHT,
                        DISCONNECTED_MANIFEST,
                        REPLACEMENT_HASH,
                        REPLACEMENT_HEIGHT,
                        REPLACEMENT_MANIFEST,
                        ACTIVE_TIP_HEIGHT)
                .except(ACTIVE_TIP_HEIGHT);

        /**
         * Reads a request document.
         *
         * @param in the reader
         * @return the request
         */
        public static Request read(ExactReader in) {
            ObjectCursor member = in.object(SHAPE);
            String[] hashes = {"", ""};
            long[] heights = new long[2];
            PayoutPolicyManifest first = null;
            PayoutPolicyManifest second = null;
            Optional<Long> tip = Optional.empty();
            while (member.next()) {
                switch (member.name()) {
                    case "disconnected_block_hash" -> hashes[0] = in.text();
                    case "disconnected_block_height" -> heights[0] = in.unsigned64();
                    case "disconnected_payout_policy_manifest" -> first = PayoutPolicyManifest.read(in);
                    case "replacement_block_hash" -> hashes[1] = in.text();
                    case "replacement_block_height" -> heights[1] = in.unsigned64();
                    case "replacement_payout_policy_manifest" -> second = PayoutPolicyManifest.read(in);
                    default -> tip = in.optional(in::unsigned64);
                }
            }
            in.end();
            if (first == null || second == null) {
                throw in.error("missing field"); // unreachable: the cursor reports a missing member first
            }
            return new Request(
                    new Branch(hashes[0], heights[0], first), new Branch(hashes[1], heights[1], second), tip);
        }
    }

    /**
     * The answer.
     *
     * @param disconnectedBlockHash block that left the chain
     * @param replacementBlockHash block that took its place
     * @param disconnectedEntryCount accounts of the first
     * @param reversedEntryCount how many of them reverse, all of them
     * @param replacementEntryCount accounts of the second
     * @param carryForwardBalances what is owed now, ordered by lower-case program
     */
    public record Report(
            String disconnectedBlockHash,
            String replacementBlockHash,
            long disconnectedEntryCount,
            long reversedEntryCount,
            long replacementEntryCount,
            List<PriorBalance> carryForwardBalances) {

        /** Schema of a report. */
        public static final String SCHEMA = "qbit.prism.reorg-verification-report.v1";

        private static final Name SCHEMA_NAME = Name.of("schema");
        private static final Name DISCONNECTED_HASH = Name.of("disconnected_block_hash");
        private static final Name REPLACEMENT_HASH = Name.of("replacement_block_hash");
        private static final Name DISCONNECTED_COUNT = Name.of("disconnected_entry_count");
        private static final Name REVERSED_COUNT = Name.of("reversed_entry_count");
        private static final Name REPLACEMENT_COUNT = Name.of("replacement_entry_count");
        private static final Name CARRY_FORWARD_BALANCES = Name.of("carry_forward_balances");

        /** Copies the list. */
        public Report {
            carryForwardBalances = List.copyOf(carryForwardBalances);
        }

        /**
         * Writes the report as an object.
         *
         * @param out the writer
         */
        public void write(CanonicalWriter out) {
            out.beginObject();
            out.member(SCHEMA_NAME, SCHEMA);
            out.member(DISCONNECTED_HASH, disconnectedBlockHash);
            out.member(REPLACEMENT_HASH, replacementBlockHash);
            out.member(DISCONNECTED_COUNT, disconnectedEntryCount);
            out.member(REVERSED_COUNT, reversedEntryCount);
            out.member(REPLACEMENT_COUNT, replacementEntryCount);
            out.members(CARRY_FORWARD_BALANCES, carryForwardBalances, each -> each.write(out));
            out.endObject();
        }
    }

    /**
     * Answers a request.
     *
     * @param request the request
     * @return the report
     * @throws PayoutRuleException with the contract text if the block was final already, an entry does not reverse or
     *     the balances differ
     */
    public static Report verify(Request request) {
        Branch disconnected = request.disconnected();
        Branch replacement = request.replacement();
        long tip = request.activeTipHeight().orElse(replacement.blockHeight());
        List<MaturityEntry> before = entries(disconnected);
        List<MaturityEntry> all =
                new ArrayList<>(MaturityEntry.disconnect(before, Set.of(disconnected.blockHash()), tip));
        long reversed = all.stream()
                .filter(each -> each.state() == MaturityEntry.State.REVERSED)
                .count();
        if (reversed != before.size()) {
            throw new PayoutRuleException(
                    "expected all " + before.size() + " disconnected entries to reverse, got " + reversed);
        }
        List<MaturityEntry> after = entries(replacement);
        all.addAll(after);
        List<PriorBalance> balances = MaturityEntry.currentBalances(all);
        if (!balances.equals(MaturityEntry.currentBalances(after))) {
            throw new PayoutRuleException("carry-forward balances did not reconverge to replacement branch");
        }
        return new Report(
                disconnected.blockHash(), replacement.blockHash(), before.size(), reversed, after.size(), balances);
    }

    private static List<MaturityEntry> entries(Branch branch) {
        return MaturityEntry.of(branch.blockHash(), branch.blockHeight(), branch.payoutPolicyManifest());
    }
}

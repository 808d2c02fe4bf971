package org.prismpool.bundle.compile;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;

/**
 * Writes build inputs as a helper reads them, with compact shares: identities once, seven values per share (spec 07 §5.1).
 * Stateless.
 */
final class BuildInputWriter {

    private static final Name FOUND_BLOCK = Name.of("found_block");
    private static final Name PRIOR_BALANCES = Name.of("prior_balances");
    private static final Name PAYOUT_POLICY = Name.of("payout_policy");
    private static final Name SUFFIX = Name.of("coinbase_script_sig_suffix_hex");
    private static final Name WITNESS_LEAVES = Name.of("witness_merkle_leaves_hex");
    private static final Name CTV_SETTLEMENT = Name.of("ctv_settlement");
    private static final Name IDENTITIES = Name.of("compact_share_identities");
    private static final Name SHARES = Name.of("compact_shares");

    private BuildInputWriter() {}

    static void write(AuditBuildInput input, OutputStream target) throws IOException {
        BlockTerms terms = input.terms();
        CanonicalWriter out = CanonicalWriter.compact(ByteSink.to(target));
        out.beginObject();
        out.name(FOUND_BLOCK);
        terms.foundBlock().write(out);
        out.members(PRIOR_BALANCES, terms.priorBalances(), balance -> balance.write(out));
        out.name(PAYOUT_POLICY);
        terms.payoutPolicy().write(out);
        terms.coinbaseScriptSigSuffixHex().ifPresent(suffix -> out.member(SUFFIX, suffix));
        out.members(WITNESS_LEAVES, terms.witnessMerkleLeavesHex(), out::text);
        terms.ctvSettlement().ifPresent(settlement -> {
            out.name(CTV_SETTLEMENT);
            settlement.write(out);
        });
        writeShares(input.shares(), out);
        out.endObject();
        out.flush();
        target.flush();
    }

    private static void writeShares(List<WindowShare> shares, CanonicalWriter out) {
        Map<PayoutIdentity, Integer> indices = new HashMap<>();
        out.name(IDENTITIES);
        out.beginArray();
        for (WindowShare share : shares) {
            if (indices.putIfAbsent(share.identity(), indices.size()) == null) {
                out.beginArray();
                out.text(share.identity().recipientId());
                out.text(share.identity().orderKey());
                out.text(share.identity().programHex());
                out.endArray();
            }
        }
        out.endArray();
        out.name(SHARES);
        out.beginArray();
        for (WindowShare share : shares) {
            out.beginArray();
            out.unsigned(share.shareSeq());
            out.text(share.shareId());
            out.unsigned(indices.getOrDefault(share.identity(), -1));
            out.unsigned(share.shareDifficulty());
            out.signed(share.jobIssuedAtMs());
            out.signed(share.acceptedAtMs());
            share.creditPolicy().ifPresentOrElse(out::text, out::nothing);
            out.endArray();
        }
        out.endArray();
    }
}

package org.prismpool.app.endpoint;

import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.sharewriter.block.AuditRow;
import org.prismpool.sharewriter.block.PayoutRow;
import org.prismpool.sharewriter.block.PoolBlock;

/** What a block paid, the bundle that proves it, and the newest evidence. Thread-safe; blocks on ledger and disk. */
public final class BundleEndpoint implements HttpEndpoint {

    private final LedgerReads reads;
    private final AuditTrailSource trail;

    /**
     * Creates the endpoint.
     *
     * @param reads the ledger
     * @param trail the audit files
     */
    public BundleEndpoint(LedgerReads reads, AuditTrailSource trail) {
        this.reads = reads;
        this.trail = trail;
    }

    @Override
    public Optional<HttpAnswer> answer(HttpQuery query) throws IOException {
        if (Paths.matches(query, "audit", "latest")) {
            return Optional.of(trail.evidence()
                    .map(evidence -> HttpAnswer.json(200, evidence.strip()))
                    .orElseGet(() -> HttpAnswer.error(404, "no PRISM evidence has been produced")));
        }
        if (Paths.matches(query, "audit", "blocks", "*", "payouts") || Paths.matches(query, "audit", "block", "*")) {
            return Optional.of(payouts(Paths.hash(query, 2, "block hash")));
        }
        if (Paths.matches(query, "audit", "blocks", "*", "bundle")) {
            return Optional.of(ofBlock(Paths.hash(query, 2, "block hash")));
        }
        if (Paths.matches(query, "audit", "commitments", "*", "bundle")) {
            return Optional.of(committing(Paths.hash(query, 2, "audit commitment leaf")));
        }
        return Optional.empty();
    }

    private HttpAnswer payouts(String blockHash) {
        Deadline deadline = reads.deadline("audit-block-payouts");
        List<PayoutRow> rows = reads.ledger().audits().payouts(blockHash, deadline);
        Optional<PoolBlock> block =
                rows.isEmpty() ? Optional.empty() : reads.ledger().blocks().find(blockHash, deadline);
        if (block.isEmpty()) {
            return unknownBlock(blockHash);
        }
        Map<String, Object> document = reads.document("qbit.prism.audit-block-payouts.v1");
        document.put("block_hash", blockHash);
        document.put(
                "rows",
                rows.stream().map(row -> Shapes.blockPayout(block.get(), row)).toList());
        return HttpAnswer.document(200, document);
    }

    private static HttpAnswer unknownBlock(String blockHash) {
        return HttpAnswer.error(404, "unknown PRISM block", "block_hash", blockHash);
    }

    private HttpAnswer ofBlock(String blockHash) {
        return reads.ledger()
                .audits()
                .find(blockHash, reads.deadline("audit-bundle"))
                .map(row -> HttpAnswer.document(200, bundle(row)))
                .orElseGet(() -> unknownBlock(blockHash));
    }

    private HttpAnswer committing(String leaf) {
        List<AuditRow> newest = reads.ledger().audits().committing(leaf, 1, reads.deadline("audit-commitment"));
        if (newest.isEmpty()) {
            return HttpAnswer.error(404, "unknown PRISM audit commitment", "audit_commitment_leaf_hex", leaf);
        }
        Map<String, Object> document = bundle(newest.get(0));
        document.put("audit_commitment_leaf_hex", leaf);
        return HttpAnswer.document(200, document);
    }

    private Map<String, Object> bundle(AuditRow row) {
        AuditBundle bundle = trail.bundle(row.bundle().body());
        if (!bundle.sha256Hex().equals(row.bundle().sha256())) {
            throw new IllegalStateException("the audit body is not the one that the ledger recorded");
        }
        Map<String, Object> document = new TreeMap<>();
        document.put("block_hash", row.block().blockHash());
        document.put("block_height", row.block().height());
        document.put("payout_manifest_sha256", row.block().payoutManifestSha256());
        document.put("audit_bundle_sha256", row.bundle().sha256());
        document.put("coinbase_tx_hex", row.bundle().coinbaseTxHex());
        // As canonical bytes: no number of the document passes through a parser.
        document.put("audit_bundle", new RawValue(new String(bundle.canonicalBytes(), StandardCharsets.UTF_8)));
        return document;
    }
}

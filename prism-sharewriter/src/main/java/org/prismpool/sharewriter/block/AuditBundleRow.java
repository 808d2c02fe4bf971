package org.prismpool.sharewriter.block;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * Audit bundle of a block: its digest, where its body is, and the facts that public pages need without the body.
 *
 * @param body where the body is
 * @param sha256 digest of the bundle's canonical bytes
 * @param coinbaseTxHex coinbase transaction
 * @param schemaVersion schema of the bundle
 * @param facts facts of the found block, empty in rows of older releases
 * @param commitmentLeavesHex audit commitment leaves, empty if the bundle has none
 * @param witnessLeavesHex witness merkle leaves, empty if the bundle has none
 */
public record AuditBundleRow(
        AuditBody body,
        String sha256,
        String coinbaseTxHex,
        String schemaVersion,
        Optional<FoundBlockFacts> facts,
        Optional<List<String>> commitmentLeavesHex,
        Optional<List<String>> witnessLeavesHex) {

    /** Schema of bundles without a recorded one. */
    public static final String DEFAULT_SCHEMA = "qbit.prism.audit-bundle.v1";

    /** Copies the lists. */
    public AuditBundleRow {
        commitmentLeavesHex = commitmentLeavesHex.map(List::copyOf);
        witnessLeavesHex = witnessLeavesHex.map(List::copyOf);
    }

    /** Where a body is kept. */
    public sealed interface AuditBody {}

    /**
     * Inside the row.
     *
     * @param json the bundle document; the database keeps its value, not its bytes
     */
    public record Inline(String json) implements AuditBody {}

    /**
     * In a file of the audit store.
     *
     * @param uri its name there
     * @param byteLength length in bytes, 0 or more
     */
    public record External(String uri, long byteLength) implements AuditBody {}

    /**
     * Facts of the found block.
     *
     * @param networkDifficulty scaled network difficulty
     * @param bits compact target, 8 hex digits
     * @param coinbaseValueSats value of the coinbase
     */
    public record FoundBlockFacts(BigInteger networkDifficulty, String bits, long coinbaseValueSats) {}
}

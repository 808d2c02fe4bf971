package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_AUDIT_BUNDLES;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.AuditBundleRow.AuditBody;
import org.prismpool.sharewriter.block.AuditBundleRow.External;
import org.prismpool.sharewriter.block.AuditBundleRow.FoundBlockFacts;
import org.prismpool.sharewriter.block.AuditBundleRow.Inline;

/** Columns of the audit bundle table. */
final class AuditBundles {

    private static final ObjectMapper JSON = new ObjectMapper();

    static final List<Field<?>> FIELDS = List.of(
            QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE,
            QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE_SHA256,
            QBIT_POOL_AUDIT_BUNDLES.COINBASE_TX_HEX,
            QBIT_POOL_AUDIT_BUNDLES.CREATED_AT,
            QBIT_POOL_AUDIT_BUNDLES.BODY_URI,
            QBIT_POOL_AUDIT_BUNDLES.AUDIT_BODY_BYTE_LEN,
            QBIT_POOL_AUDIT_BUNDLES.SCHEMA_VERSION,
            QBIT_POOL_AUDIT_BUNDLES.FOUND_BLOCK_NETWORK_DIFFICULTY,
            QBIT_POOL_AUDIT_BUNDLES.FOUND_BLOCK_BITS,
            QBIT_POOL_AUDIT_BUNDLES.FOUND_BLOCK_COINBASE_VALUE_SATS,
            QBIT_POOL_AUDIT_BUNDLES.AUDIT_COMMITMENT_LEAVES_HEX,
            QBIT_POOL_AUDIT_BUNDLES.WITNESS_MERKLE_LEAVES_HEX);

    private AuditBundles() {}

    static AuditBundleRow read(Record row) {
        var table = QBIT_POOL_AUDIT_BUNDLES;
        @Nullable String uri = row.get(table.BODY_URI);
        @Nullable Long length = row.get(table.AUDIT_BODY_BYTE_LEN);
        @Nullable JSONB inline = row.get(table.AUDIT_BUNDLE);
        // A file wins over an inline body that an older release left behind.
        AuditBody body = uri != null
                ? new External(uri, length == null ? 0 : length)
                : new Inline(inline == null ? "null" : inline.data());
        @Nullable String schema = row.get(table.SCHEMA_VERSION);
        return new AuditBundleRow(
                body,
                row.get(table.AUDIT_BUNDLE_SHA256),
                row.get(table.COINBASE_TX_HEX),
                schema == null ? AuditBundleRow.DEFAULT_SCHEMA : schema,
                facts(row),
                strings(row.get(table.AUDIT_COMMITMENT_LEAVES_HEX)),
                strings(row.get(table.WITNESS_MERKLE_LEAVES_HEX)));
    }

    private static Optional<FoundBlockFacts> facts(Record row) {
        @Nullable BigInteger difficulty = row.get(QBIT_POOL_AUDIT_BUNDLES.FOUND_BLOCK_NETWORK_DIFFICULTY);
        @Nullable String bits = row.get(QBIT_POOL_AUDIT_BUNDLES.FOUND_BLOCK_BITS);
        @Nullable Long value = row.get(QBIT_POOL_AUDIT_BUNDLES.FOUND_BLOCK_COINBASE_VALUE_SATS);
        return difficulty == null || bits == null || value == null
                ? Optional.empty()
                : Optional.of(new FoundBlockFacts(difficulty, bits, value));
    }

    static JSONB array(List<String> values) {
        try {
            return JSONB.valueOf(JSON.writeValueAsString(values));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static Optional<List<String>> strings(@Nullable JSONB array) {
        if (array == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(array.data(), new TypeReference<List<String>>() {}));
        } catch (JsonProcessingException notAnArray) {
            return Optional.empty(); // rows of older releases may hold another shape: as good as none
        }
    }
}

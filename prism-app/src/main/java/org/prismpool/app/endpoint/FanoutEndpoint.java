package org.prismpool.app.endpoint;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;

/** Settlement transactions: their state, and everything needed to broadcast them without the pool. Thread-safe. */
public final class FanoutEndpoint implements HttpEndpoint {

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    private static final TypeReference<TreeMap<String, @Nullable Object>> OBJECT = new TypeReference<>() {};
    private static final List<String> SINGLE_STATUS_ONLY =
            List.of("manifest_json", "manifest", "fanout_tx_template_hex");
    private static final int USUAL_PENDING = 100;
    private static final int MOST_PENDING = 1000;

    private final LedgerReads reads;

    /**
     * Creates the endpoint.
     *
     * @param reads the ledger
     */
    public FanoutEndpoint(LedgerReads reads) {
        this.reads = reads;
    }

    @Override
    public Optional<HttpAnswer> answer(HttpQuery query) {
        if (Paths.matches(query, "audit", "blocks", "*", "ctv-fanouts")) {
            return Optional.of(ofBlock(Paths.hash(query, 2, "block hash")));
        }
        if (Paths.matches(query, "audit", "blocks", "*", "ctv-fanout-manifest-set")) {
            return Optional.of(recovery(Paths.hash(query, 2, "block hash")));
        }
        if (Paths.matches(query, "audit", "fanouts", "pending")) {
            return Optional.of(pending(Paths.clamped(query, "limit", USUAL_PENDING, 1, MOST_PENDING)));
        }
        if (Paths.matches(query, "audit", "fanouts", "*", "status")) {
            return Optional.of(status(Paths.hash(query, 2, "fanout txid")));
        }
        return Optional.empty();
    }

    private HttpAnswer ofBlock(String blockHash) {
        Optional<Map<String, @Nullable Object>> set = recoveryDocument(blockHash);
        if (set.isEmpty()) {
            return unknownBlock(blockHash);
        }
        Map<String, Object> document = reads.document("qbit.prism.audit-ctv-fanouts.v1");
        document.put("block_hash", blockHash);
        Object artifacts = set.get().get("artifacts");
        document.put("rows", artifacts == null ? List.of() : artifacts);
        return HttpAnswer.document(200, document);
    }

    private HttpAnswer recovery(String blockHash) {
        return recoveryDocument(blockHash)
                .map(set -> HttpAnswer.document(200, set))
                .orElseGet(() -> unknownBlock(blockHash));
    }

    private Optional<Map<String, @Nullable Object>> recoveryDocument(String blockHash) {
        return reads.ledger()
                .fanouts()
                .recoveryDocument(blockHash, reads.deadline("fanout-recovery"))
                .map(FanoutEndpoint::parse);
    }

    private static HttpAnswer unknownBlock(String blockHash) {
        return HttpAnswer.error(404, "unknown CTV fanout block", "block_hash", blockHash);
    }

    /** Up to a thousand documents of many kilobytes each: one at a time is taken apart and written without its large members. */
    private HttpAnswer pending(int limit) {
        List<String> documents = reads.ledger().fanouts().dueDocuments(limit, reads.deadline("pending-fanouts"));
        Map<String, Object> head = reads.document("qbit.prism.pending-ctv-fanouts.v1");
        try {
            return HttpAnswer.json(200, pending(head, documents));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String pending(Map<String, Object> head, List<String> documents) throws IOException {
        StringWriter text = new StringWriter();
        JsonGenerator json = JSON.createGenerator(text);
        json.writeStartObject();
        json.writeNumberField("count", documents.size());
        json.writeObjectField("ledger_backend", head.get("ledger_backend"));
        json.writeArrayFieldStart("rows");
        for (String document : documents) {
            Map<String, @Nullable Object> status = parse(document);
            SINGLE_STATUS_ONLY.forEach(status::remove);
            json.writeObject(status);
        }
        json.writeEndArray();
        json.writeObjectField("schema", head.get("schema"));
        json.writeEndObject();
        json.close();
        return text.toString();
    }

    private HttpAnswer status(String fanoutTxid) {
        return reads.ledger()
                .fanouts()
                .statusDocument(fanoutTxid, reads.deadline("fanout-status"))
                .map(status -> HttpAnswer.document(200, parse(status)))
                .orElseGet(() -> HttpAnswer.error(404, "unknown CTV fanout", "fanout_txid", fanoutTxid));
    }

    private static Map<String, @Nullable Object> parse(String json) {
        try {
            return JSON.readValue(json, OBJECT);
        } catch (JsonProcessingException broken) {
            throw new IllegalStateException("the ledger's document is no JSON object", broken);
        }
    }
}

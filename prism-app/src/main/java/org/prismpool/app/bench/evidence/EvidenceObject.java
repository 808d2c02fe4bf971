package org.prismpool.app.bench.evidence;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** One object of an evidence document, with a path for messages. Unknown, missing and repeated members are refused. */
final class EvidenceObject {

    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final String path;
    private final JsonNode node;

    private EvidenceObject(String path, JsonNode node, List<String> members) {
        this.path = path;
        this.node = node;
        if (!node.isObject()) {
            throw new InvalidEvidenceException(name() + " is not an object");
        }
        Set<String> found = new TreeSet<>();
        node.fieldNames().forEachRemaining(found::add);
        for (String member : members) {
            if (!found.remove(member)) {
                throw new InvalidEvidenceException(at(member) + " is missing");
            }
        }
        for (String unknown : found) {
            throw new InvalidEvidenceException(at(unknown) + " is unknown");
        }
    }

    static EvidenceObject document(String json, List<String> members) {
        try {
            return new EvidenceObject("", STRICT.readTree(json), members);
        } catch (JsonProcessingException broken) {
            throw new InvalidEvidenceException("not one JSON document: " + broken.getOriginalMessage());
        }
    }

    private String name() {
        return path.isEmpty() ? "the document" : path;
    }

    /** Path of a member, for messages. */
    String at(String member) {
        return path.isEmpty() ? member : path + "." + member;
    }

    EvidenceObject object(String member, List<String> members) {
        return new EvidenceObject(at(member), node.get(member), members);
    }

    String text(String member) {
        JsonNode value = node.get(member);
        if (!value.isTextual()) {
            throw new InvalidEvidenceException(at(member) + " is not a text");
        }
        return value.textValue();
    }

    /** A text, number or truth value, as text. */
    String setting(String member) {
        JsonNode value = node.get(member);
        if (!value.isValueNode() || value.isNull()) {
            throw new InvalidEvidenceException(at(member) + " is not a plain value");
        }
        return value.asText();
    }

    String matching(String member, String pattern) {
        String text = text(member);
        if (!text.matches(pattern)) {
            throw new InvalidEvidenceException(at(member) + " is malformed");
        }
        return text;
    }

    void equal(String member, String expected) {
        if (!text(member).equals(expected)) {
            throw new InvalidEvidenceException(at(member) + " is not " + expected);
        }
    }

    /** A positive number. */
    BigDecimal positive(String member) {
        JsonNode value = node.get(member);
        if (!value.isNumber() || value.decimalValue().signum() <= 0) {
            throw new InvalidEvidenceException(at(member) + " is not a positive number");
        }
        return value.decimalValue();
    }

    /** A whole number, 0 or more. */
    long count(String member) {
        JsonNode value = node.get(member);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw new InvalidEvidenceException(at(member) + " is not a count");
        }
        return value.longValue();
    }

    void zero(String member) {
        if (count(member) != 0) {
            throw new InvalidEvidenceException(at(member) + " is not 0");
        }
    }

    void same(String member, String other, long expected) {
        if (count(member) != expected) {
            throw new InvalidEvidenceException(at(member) + " differs from " + other);
        }
    }

    void atLeast(String member, long least) {
        if (count(member) < least) {
            throw new InvalidEvidenceException(at(member) + " is below " + least);
        }
    }
}

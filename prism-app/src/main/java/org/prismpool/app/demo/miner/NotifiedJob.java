package org.prismpool.app.demo.miner;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The nine fields of one {@code mining.notify}, decoded but not yet combined with an extranonce. Immutable. */
final class NotifiedJob {

    private static final int FIELD_COUNT = 9;
    private static final int DEEPEST_BRANCH = 32;

    private final String jobId;
    private final byte[] previousHash;
    private final byte[] coinbaseStart;
    private final byte[] coinbaseEnd;
    private final List<byte[]> branch;
    private final int version;
    private final int bits;
    private final int ntime;
    private final boolean clean;

    private NotifiedJob(JsonNode params) {
        jobId = params.get(0).asText();
        previousHash = bytes(params.get(1), 32);
        coinbaseStart = bytes(params.get(2), -1);
        coinbaseEnd = bytes(params.get(3), -1);
        List<byte[]> siblings = new ArrayList<>();
        for (JsonNode sibling : params.get(4)) {
            siblings.add(bytes(sibling, 32));
        }
        if (siblings.size() > DEEPEST_BRANCH) {
            throw new IllegalArgumentException("merkle branch too deep");
        }
        branch = List.copyOf(siblings);
        version = number(params.get(5));
        bits = number(params.get(6));
        ntime = number(params.get(7));
        clean = params.get(8).asBoolean();
    }

    /**
     * Decodes the parameters of one notification.
     *
     * @throws IllegalArgumentException when a field is missing or malformed
     */
    static NotifiedJob parse(JsonNode params) {
        if (!params.isArray() || params.size() < FIELD_COUNT) {
            throw new IllegalArgumentException("notify needs nine parameters");
        }
        return new NotifiedJob(params);
    }

    String jobId() {
        return jobId;
    }

    /** Notify form: eight 4-byte words, each byte-reversed. Not copied; nobody may change it. */
    byte[] previousHash() {
        return previousHash;
    }

    /** Coinbase bytes before the extranonces. Not copied; nobody may change it. */
    byte[] coinbaseStart() {
        return coinbaseStart;
    }

    /** Coinbase bytes after the extranonces. Not copied; nobody may change it. */
    byte[] coinbaseEnd() {
        return coinbaseEnd;
    }

    /** Merkle siblings, leaf level first. Not copied; nobody may change them. */
    List<byte[]> branch() {
        return branch;
    }

    int version() {
        return version;
    }

    int bits() {
        return bits;
    }

    int ntime() {
        return ntime;
    }

    /** Whether earlier jobs are void. */
    boolean clean() {
        return clean;
    }

    private static byte[] bytes(JsonNode node, int length) {
        byte[] value = HexFormat.of().parseHex(node.asText());
        if (length >= 0 && value.length != length) {
            throw new IllegalArgumentException("expected " + length + " bytes");
        }
        return value;
    }

    private static int number(JsonNode node) {
        return ByteBuffer.wrap(bytes(node, Integer.BYTES)).getInt();
    }
}

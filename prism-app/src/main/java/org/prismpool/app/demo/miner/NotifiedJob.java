package org.prismpool.app.demo.miner;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The nine fields of one {@code mining.notify}, decoded but not yet combined with an extranonce.
 *
 * @param jobId opaque job id
 * @param previousHash notify form: eight 4-byte words, each byte-reversed
 * @param coinbaseStart coinbase bytes before the extranonces
 * @param coinbaseEnd coinbase bytes after them
 * @param branch merkle siblings, leaf level first
 * @param version block version
 * @param bits compact network target
 * @param ntime block time
 * @param clean whether earlier jobs are void
 */
record NotifiedJob(
        String jobId,
        byte[] previousHash,
        byte[] coinbaseStart,
        byte[] coinbaseEnd,
        List<byte[]> branch,
        int version,
        int bits,
        int ntime,
        boolean clean) {

    private static final int FIELD_COUNT = 9;
    private static final int DEEPEST_BRANCH = 32;

    /**
     * Decodes the parameters of one notification.
     *
     * @throws IllegalArgumentException when a field is missing or malformed
     */
    static NotifiedJob parse(JsonNode params) {
        if (!params.isArray() || params.size() < FIELD_COUNT) {
            throw new IllegalArgumentException("notify needs nine parameters");
        }
        List<byte[]> branch = new ArrayList<>();
        for (JsonNode sibling : params.get(4)) {
            branch.add(bytes(sibling, 32));
        }
        if (branch.size() > DEEPEST_BRANCH) {
            throw new IllegalArgumentException("merkle branch too deep");
        }
        return new NotifiedJob(
                params.get(0).asText(),
                bytes(params.get(1), 32),
                bytes(params.get(2), -1),
                bytes(params.get(3), -1),
                branch,
                number(params.get(5)),
                number(params.get(6)),
                number(params.get(7)),
                params.get(8).asBoolean());
    }

    private static byte[] bytes(JsonNode node, int length) {
        byte[] value = HexFormat.of().parseHex(node.asText());
        if (length >= 0 && value.length != length) {
            throw new IllegalArgumentException("expected " + length + " bytes");
        }
        return value;
    }

    private static int number(JsonNode node) {
        byte[] value = bytes(node, 4);
        return (value[0] & 0xff) << 24 | (value[1] & 0xff) << 16 | (value[2] & 0xff) << 8 | value[3] & 0xff;
    }
}

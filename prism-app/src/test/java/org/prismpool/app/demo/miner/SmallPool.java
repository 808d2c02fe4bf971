package org.prismpool.app.demo.miner;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/** The smallest pool that is honest: one job per template, every share at network difficulty, every share a block. */
final class SmallPool implements AutoCloseable {

    private static final String EXTRANONCE1 = "0000002a";
    private static final String PLACEHOLDER = "0000002a0000000000000000";
    private static final String PROGRAM = "aa".repeat(32);

    private final DevNode node;
    private final ScriptedPool wire = new ScriptedPool(this::answer);
    private final AtomicInteger accepted = new AtomicInteger();
    private JsonNode template;
    private Transaction coinbase;

    SmallPool(DevNode node) {
        this.node = node;
        this.template = fetch();
        this.coinbase = buildCoinbase(template);
    }

    int port() {
        return wire.port();
    }

    int accepted() {
        return accepted.get();
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }

    private List<String> answer(JsonNode request) {
        String id = request.path("id").toString();
        return switch (request.path("method").asText()) {
            case "mining.configure" ->
                List.of(result(id, "{\"version-rolling\":true,\"version-rolling.mask\":\"1fffe000\"}"));
            case "mining.subscribe" -> List.of(result(id, "[[],\"" + EXTRANONCE1 + "\",8]"));
            case "mining.authorize" ->
                List.of(
                        result(id, "true"),
                        "{\"id\":null,\"method\":\"mining.set_difficulty\",\"params\":[0.00000000046565423739069247]}",
                        job());
            default -> submit(id, request.path("params"));
        };
    }

    private synchronized List<String> submit(String id, JsonNode params) {
        if (!params.get(1).asText().equals(template.path("previousblockhash").asText())) {
            return List.of("{\"id\":" + id + ",\"result\":null,\"error\":[21,\"stale job\",null]}");
        }
        JsonNode answer = node.call("submitblock", block(params)).result();
        if (!answer.isNull()) {
            return List.of("{\"id\":" + id + ",\"result\":null,\"error\":[20,\"" + answer.asText() + "\",null]}");
        }
        accepted.incrementAndGet();
        template = fetch();
        coinbase = buildCoinbase(template);
        return List.of(result(id, "true"), job());
    }

    private String block(JsonNode params) {
        String filled =
                coinbase.hex().replace(PLACEHOLDER, EXTRANONCE1 + params.get(2).asText());
        Transaction full = Transaction.parseHex(filled);
        BlockHeader header = new BlockHeader(
                0x20000000 | (int) Long.parseLong(params.get(5).asText(), 16),
                Hash256.ofDisplayHex(template.path("previousblockhash").asText()),
                branch().fold(full.txid()),
                Long.parseLong(params.get(3).asText(), 16),
                (int) Long.parseLong(template.path("bits").asText(), 16),
                Long.parseLong(params.get(4).asText(), 16));
        ByteWriter block = new ByteWriter().bytes(header.bytes());
        block.compactSize(1L + template.path("transactions").size()).bytes(full.bytes());
        template.path("transactions")
                .forEach(entry -> block.bytes(Hex.decode(entry.path("data").asText())));
        return Hex.encode(block.toByteArray());
    }

    private synchronized String job() {
        String stripped = Hex.encode(coinbase.strippedBytes());
        int at = stripped.indexOf(PLACEHOLDER);
        String parent = template.path("previousblockhash").asText();
        StringBuilder words = new StringBuilder();
        for (int i = 56; i >= 0; i -= 8) {
            words.append(parent, i, i + 8);
        }
        String branch = branch().siblings().stream()
                .map(sibling -> "\"" + sibling.internalHex() + "\"")
                .collect(Collectors.joining(","));
        return "{\"id\":null,\"method\":\"mining.notify\",\"params\":[\"" + parent + "\",\"" + words + "\",\""
                + stripped.substring(0, at) + "\",\"" + stripped.substring(at + PLACEHOLDER.length()) + "\",["
                + branch + "],\"20000000\",\"" + template.path("bits").asText() + "\",\""
                + Hex.encode(new byte[] {
                    (byte) (template.path("curtime").asLong() >> 24),
                    (byte) (template.path("curtime").asLong() >> 16),
                    (byte) (template.path("curtime").asLong() >> 8),
                    (byte) template.path("curtime").asLong()
                })
                + "\",true]}";
    }

    private MerkleBranch branch() {
        List<Hash256> txids = new ArrayList<>();
        template.path("transactions")
                .forEach(entry ->
                        txids.add(Hash256.ofDisplayHex(entry.path("txid").asText())));
        return MerkleBranch.ofLeafZero(txids);
    }

    private JsonNode fetch() {
        return node.call("getblocktemplate", Map.of("rules", List.of("segwit"))).result();
    }

    private static Transaction buildCoinbase(JsonNode template) {
        int height = template.path("height").asInt();
        String push = height <= 16
                ? Integer.toHexString(0x50 + height) + "00"
                : "01" + Hex.encode(new byte[] {(byte) height});
        TransactionInput input = new TransactionInput(
                Hash256.ZERO,
                TransactionInput.NULL_INDEX,
                Hex.decode(push + PLACEHOLDER),
                0xfffffffeL,
                List.of(new byte[32]));
        return Transaction.of(
                2,
                List.of(input),
                List.of(
                        new TransactionOutput(template.path("coinbasevalue").asLong(), Hex.decode("5220" + PROGRAM)),
                        new TransactionOutput(
                                0,
                                Hex.decode(template.path("default_witness_commitment")
                                        .asText()))),
                height - 1L);
    }

    private static String result(String id, String value) {
        return "{\"id\":" + id + ",\"result\":" + value + ",\"error\":null}";
    }
}

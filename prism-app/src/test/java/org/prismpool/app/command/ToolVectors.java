package org.prismpool.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The golden vectors of the payout module, read with a parser that is not ours. */
final class ToolVectors {

    private static final Path ROOT = Path.of("..", "prism-payout", "src", "test", "resources", "vectors");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ToolVectors() {}

    static Path path(String name) {
        return ROOT.resolve(name).toAbsolutePath().normalize();
    }

    static byte[] bytes(String name) {
        try {
            return Files.readAllBytes(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(String name) {
        return parse(bytes(name));
    }

    static JsonNode parse(byte[] document) {
        try {
            return MAPPER.readTree(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<JsonNode> elements(JsonNode array) {
        return IntStream.range(0, array.size()).mapToObj(array::get);
    }

    static Stream<Named<JsonNode>> named(JsonNode array) {
        return elements(array).map(node -> Named.of(node.get("name").asText(), node));
    }

    static List<String> texts(JsonNode array) {
        return elements(array).map(JsonNode::asText).toList();
    }

    static Stream<String> folders(String name) {
        try (Stream<Path> children = Files.list(path(name))) {
            return children
                    .filter(Files::isDirectory)
                    .map(child -> child.getFileName().toString())
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives a build input its shares in the compact form. */
    static byte[] compact(byte[] input) {
        ObjectNode document = (ObjectNode) parse(input);
        Map<List<String>, Integer> identities = new LinkedHashMap<>();
        ArrayNode compact = document.arrayNode();
        for (JsonNode share : document.withArray("shares")) {
            List<String> identity = Stream.of("miner_id", "order_key", "p2mr_program_hex")
                    .map(member -> share.get(member).asText())
                    .toList();
            int index = identities.computeIfAbsent(identity, key -> identities.size());
            compact.addArray()
                    .add(share.get("share_seq"))
                    .add(share.get("share_id"))
                    .add(index)
                    .add(share.get("share_difficulty"))
                    .add(share.get("job_issued_at_ms"))
                    .add(share.get("accepted_at_ms"))
                    .add(share.hasNonNull("credit_policy") ? share.get("credit_policy") : compact.nullNode());
        }
        document.remove("shares");
        document.set("compact_shares", compact);
        ArrayNode table = document.putArray("compact_share_identities");
        identities.keySet().forEach(identity -> identity.forEach(table.addArray()::add));
        return bytes(document);
    }

    /** Applies {@code add}, {@code replace}, {@code remove} and {@code reverse} in their order. */
    static void patch(JsonNode document, JsonNode operations) {
        for (JsonNode operation : operations) {
            String pointer = operation.get("path").asText();
            if (operation.get("op").asText().equals("reverse")) {
                ArrayNode array = (ArrayNode) document.at(pointer);
                List<JsonNode> elements = new ArrayList<>(elements(array).toList());
                array.removeAll();
                for (int i = elements.size() - 1; i >= 0; i--) {
                    array.add(elements.get(i));
                }
                continue;
            }
            int slash = pointer.lastIndexOf('/');
            JsonNode parent = document.at(pointer.substring(0, slash));
            String last = pointer.substring(slash + 1);
            JsonNode value = operation.path("value").deepCopy();
            if (parent instanceof ObjectNode object) {
                if (operation.get("op").asText().equals("remove")) {
                    object.remove(last);
                } else {
                    object.set(last, value);
                }
            } else {
                patch((ArrayNode) parent, operation.get("op").asText(), last, value);
            }
        }
    }

    private static void patch(ArrayNode array, String operation, String index, JsonNode value) {
        int at = index.equals("-") ? array.size() : Integer.parseInt(index);
        switch (operation) {
            case "add" -> array.insert(at, value);
            case "replace" -> array.set(at, value);
            case "remove" -> array.remove(at);
            default -> throw new IllegalArgumentException(operation);
        }
    }
}

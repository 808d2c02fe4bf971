package org.prismpool.payout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Golden vectors in the test resources, read with a parser that is not ours. */
public final class Vectors {

    public static final String COINBASE_SEED = "42".repeat(32);
    public static final String LEDGER_SEED = "43".repeat(32);
    public static final String LEDGER_KEY = "22fc297792f0b6ffc0bfcfdb7edb0c0aa14e025a365ec0e342e86e3829cb74b6";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Vectors() {}

    public static Path path(String name) {
        try {
            return Path.of(Vectors.class.getResource("/vectors/" + name).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public static byte[] bytes(String name) {
        try {
            return Files.readAllBytes(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode json(String name) {
        return parse(bytes(name));
    }

    public static JsonNode parse(byte[] document) {
        try {
            return MAPPER.readTree(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<String> folders(String name) {
        try (Stream<Path> children = Files.list(path(name))) {
            return children.filter(Files::isDirectory)
                    .map(child -> child.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Stream<JsonNode> elements(JsonNode array) {
        return Stream.iterate(0, i -> i < array.size(), i -> i + 1).map(array::get);
    }
}

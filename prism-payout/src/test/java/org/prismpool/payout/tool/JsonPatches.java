package org.prismpool.payout.tool;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Applies the patch operations of the vectors to a parsed document. */
public final class JsonPatches {

    private JsonPatches() {}

    public static void apply(JsonNode document, JsonNode operations) {
        for (JsonNode operation : operations) {
            apply(document, operation.get("op").asText(), operation.get("path").asText(), operation.get("value"));
        }
    }

    private static void apply(JsonNode document, String operation, String path, JsonNode value) {
        JsonPointer pointer = JsonPointer.compile(path);
        JsonNode parent = document.at(pointer.head());
        String name = pointer.last().getMatchingProperty();
        if (operation.equals("reverse")) {
            ArrayNode array = (ArrayNode) document.at(pointer);
            List<JsonNode> elements = new ArrayList<>();
            array.forEach(elements::add);
            Collections.reverse(elements);
            array.removeAll();
            array.addAll(elements);
        } else if (parent instanceof ObjectNode object) {
            if (operation.equals("remove")) {
                object.remove(name);
            } else {
                object.set(name, value);
            }
        } else {
            ArrayNode array = (ArrayNode) parent;
            switch (operation) {
                case "add" -> array.insert(name.equals("-") ? array.size() : Integer.parseInt(name), value);
                case "replace" -> array.set(Integer.parseInt(name), value);
                default -> array.remove(Integer.parseInt(name));
            }
        }
    }
}

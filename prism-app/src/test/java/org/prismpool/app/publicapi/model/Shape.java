package org.prismpool.app.publicapi.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a member of a public body may be. Says every place where a body differs, so that one run shows all. Written from the tables
 * of spec 08 §7.4 and §7.7, not from the code.
 */
interface Shape {

    void check(String place, JsonNode value, List<String> problems);

    Shape TS = matching("ts", "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    Shape DEC = matching("dec", "-?[0-9]+(\\.[0-9]+)?");
    Shape HASH = matching("hash", "[0-9a-f]{64}");
    Shape BITS8 = matching("8 hex digits", "[0-9a-f]{8}");
    Shape HEX = matching("even hex", "([0-9a-f]{2})*");
    Shape TEXT = node("text", JsonNode::isTextual);
    Shape BOOL = node("truth value", JsonNode::isBoolean);
    Shape INT = node(
            "whole number of 0 or more",
            v -> v.isIntegralNumber() && v.bigIntegerValue().signum() >= 0);
    Shape POSITIVE = node(
            "whole number of 1 or more",
            v -> v.isIntegralNumber() && v.bigIntegerValue().signum() > 0);
    Shape PORT = node("port", v -> v.isIntegralNumber() && v.longValue() >= 1 && v.longValue() <= 65_535);
    Shape BPS = node("basis points", v -> v.isIntegralNumber() && v.longValue() >= 0 && v.longValue() <= 10_000);
    Shape NULL = node("null", JsonNode::isNull);

    static Shape node(String what, Predicate<JsonNode> test) {
        return (place, value, problems) -> {
            if (!test.test(value)) {
                problems.add(place + " is no " + what + ": " + value);
            }
        };
    }

    static Shape matching(String what, String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return node(what, v -> v.isTextual() && compiled.matcher(v.textValue()).matches());
    }

    static Shape word(String... words) {
        return node(
                "one of " + List.of(words), v -> v.isTextual() && List.of(words).contains(v.textValue()));
    }

    static Shape number(long value) {
        return node("the number " + value, v -> v.isIntegralNumber() && v.longValue() == value);
    }

    static Shape orNull(Shape shape) {
        return (place, value, problems) -> {
            if (!value.isNull()) {
                shape.check(place, value, problems);
            }
        };
    }

    static Shape list(Shape element) {
        return (place, value, problems) -> {
            if (!value.isArray()) {
                problems.add(place + " is no list: " + value);
            }
            for (int i = 0; i < value.size(); i++) {
                element.check(place + "[" + i + "]", value.get(i), problems);
            }
        };
    }

    static Shape atMost(int most, Shape element) {
        return (place, value, problems) -> {
            list(element).check(place, value, problems);
            if (value.size() > most) {
                problems.add(place + " has more than " + most + " elements");
            }
        };
    }

    /** A closed object: exactly these members. Names and shapes in turn. */
    static Shape object(Object... namesAndShapes) {
        Map<String, Shape> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndShapes.length; i += 2) {
            members.put((String) namesAndShapes[i], (Shape) namesAndShapes[i + 1]);
        }
        return (place, value, problems) -> {
            Set<String> found = new TreeSet<>();
            value.fieldNames().forEachRemaining(found::add);
            if (!value.isObject() || !found.equals(members.keySet())) {
                problems.add(place + " has " + found + " instead of " + new TreeSet<>(members.keySet()));
                return;
            }
            members.forEach((name, shape) -> shape.check(place + "." + name, value.get(name), problems));
        };
    }
}

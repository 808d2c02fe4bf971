package org.prismpool.config.variable;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Parser of {@code {"name": weight, …}}: a JSON object of names to integers of one or more.
 *
 * <p>Small on purpose: this module depends on nothing, and the grammar is one flat object. Refuses fractions, quoted
 * numbers and duplicate names. Source: spec 01 §2.6.
 */
final class WeightsParser {

    private final String text;
    private int at;

    private WeightsParser(String text) {
        this.text = text;
    }

    static Parser<Map<String, BigInteger>> weights() {
        return new SimpleParser<>(
                "JSON object", "object of name to integer >= 1", text -> new WeightsParser(text).object());
    }

    private Map<String, BigInteger> object() throws ParseProblem {
        Map<String, BigInteger> weights = new LinkedHashMap<>();
        skipBlanks();
        if (at >= text.length()) {
            throw notJson("is empty");
        }
        if (text.charAt(at) != '{') {
            throw ParseProblem.malformed("must be an object");
        }
        at++;
        skipBlanks();
        if (!take('}')) {
            do {
                member(weights);
                skipBlanks();
            } while (take(','));
            if (!take('}')) {
                throw notJson("expected , or } at character " + at);
            }
        }
        skipBlanks();
        if (at != text.length()) {
            throw notJson("extra data at character " + at);
        }
        return Map.copyOf(weights);
    }

    private void member(Map<String, BigInteger> weights) throws ParseProblem {
        skipBlanks();
        String name = string();
        skipBlanks();
        if (!take(':')) {
            throw notJson("expected : at character " + at);
        }
        skipBlanks();
        BigInteger weight = integer(name);
        if (weights.put(name, weight) != null) {
            throw ParseProblem.malformed("has the name " + name + " twice");
        }
    }

    private BigInteger integer(String name) throws ParseProblem {
        int start = at;
        while (at < text.length() && ",} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (!number.matches("-?(0|[1-9][0-9]*)")) {
            throw ParseProblem.malformed("share weight for " + name + " must be an integer");
        }
        BigInteger weight = new BigInteger(number);
        if (weight.signum() <= 0) {
            throw ParseProblem.range("share weight for " + name + " must be positive");
        }
        return weight;
    }

    private String string() throws ParseProblem {
        if (!take('"')) {
            throw notJson("expected a quoted name at character " + at);
        }
        StringBuilder value = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return value.toString();
            }
            value.append(c == '\\' ? escape() : c);
        }
        throw notJson("a name is not closed");
    }

    private char escape() throws ParseProblem {
        if (at >= text.length()) {
            throw notJson("a name is not closed");
        }
        char c = text.charAt(at++);
        int simple = "\"\\/bfnrt".indexOf(c);
        if (simple >= 0) {
            return "\"\\/\b\f\n\r\t".charAt(simple);
        }
        if (c == 'u' && at + 4 <= text.length() && text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        throw notJson("bad escape at character " + at);
    }

    private boolean take(char wanted) {
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private static ParseProblem notJson(String detail) {
        return ParseProblem.malformed("is not valid JSON: " + detail);
    }
}

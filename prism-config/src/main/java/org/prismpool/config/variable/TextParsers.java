package org.prismpool.config.variable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.prismpool.config.Secret;

/** Parsers of words, names, hex values, lists and secrets. Source: spec 01 §2.2, §2.6. */
public final class TextParsers {

    private static final Map<String, Boolean> BOOLEANS = Map.of(
            "1", true, "true", true, "yes", true, "on", true, "0", false, "false", false, "no", false, "off", false);
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]*");
    private static final int MAX_TAG_BYTES = 40;

    private TextParsers() {}

    /**
     * Returns the one parser of booleans.
     *
     * @return the parser; blanks around the word are stripped, case does not matter
     */
    public static Parser<Boolean> bool() {
        return new SimpleParser<>("boolean", "1/true/yes/on or 0/false/no/off", text -> {
            Boolean value = BOOLEANS.get(text.strip().toLowerCase(Locale.ROOT));
            if (value == null) {
                throw ParseProblem.malformed("must be one of 1, true, yes, on, 0, false, no, off");
            }
            return value;
        });
    }

    /**
     * Returns a parser of free text, kept exactly as given.
     *
     * @return the parser
     */
    public static Parser<String> text() {
        return new SimpleParser<>("text", "any text", text -> text);
    }

    /**
     * Returns a parser of text that must not be empty, kept exactly as given.
     *
     * @return the parser
     */
    public static Parser<String> nonEmptyText() {
        return new SimpleParser<>("text", "non-empty text", text -> {
            if (text.isEmpty()) {
                throw ParseProblem.malformed("must not be empty");
            }
            return text;
        });
    }

    /**
     * Returns a parser of a command line: words as a POSIX shell splits them, without expansions.
     *
     * @return the parser
     */
    public static Parser<List<String>> command() {
        return new SimpleParser<>("command", "shell words", text -> {
            List<String> words = DatabaseParsers.shellWords(text);
            if (words.isEmpty()) {
                throw ParseProblem.malformed("must name a program");
            }
            return List.copyOf(words);
        });
    }

    /**
     * Returns a parser of host names and addresses to bind or connect to.
     *
     * @return the parser
     */
    public static Parser<String> host() {
        return new SimpleParser<>("host", "host name or address", text -> {
            if (text.isEmpty() || text.chars().anyMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c))) {
                throw ParseProblem.malformed("must be a host name or address without blanks");
            }
            return text;
        });
    }

    /**
     * Returns a parser of file system paths, kept as given; existence is not its business.
     *
     * @return the parser
     */
    public static Parser<String> path() {
        return new SimpleParser<>("path", "file system path", text -> {
            if (text.isEmpty() || text.indexOf('\0') >= 0) {
                throw ParseProblem.malformed("must be a file system path");
            }
            return text;
        });
    }

    /**
     * Returns a parser of secrets, kept exactly as given.
     *
     * @return the parser
     */
    public static Parser<Secret> secret() {
        return new SimpleParser<>("secret", "any text", Secret::of);
    }

    /**
     * Returns a parser of words from a closed list.
     *
     * @param caseSensitive whether case matters; if not, the result is the listed spelling
     * @param words accepted words
     * @return the parser
     */
    public static Parser<String> oneOf(boolean caseSensitive, String... words) {
        List<String> accepted = List.of(words);
        String allowed = String.join(", ", accepted);
        return new SimpleParser<>(
                "word",
                allowed,
                text -> accepted.stream()
                        .filter(word -> caseSensitive ? word.equals(text) : word.equalsIgnoreCase(text.strip()))
                        .findFirst()
                        .orElseThrow(() -> ParseProblem.malformed("must be one of: " + allowed)));
    }

    /**
     * Returns a parser of 32 bytes in hex.
     *
     * @return the parser; the result is lower case
     */
    public static Parser<String> hex32() {
        return new SimpleParser<>("hex", "64 hex digits", text -> {
            if (!HEX.matcher(text).matches()) {
                throw ParseProblem.malformed(
                        "must be hex: exactly 64 hex digits (got " + text.length() + " characters)");
            }
            if (text.length() != 64) {
                throw ParseProblem.malformed("must be exactly 64 hex digits (got " + text.length() + " characters)");
            }
            return text.toLowerCase(Locale.ROOT);
        });
    }

    /**
     * Returns a parser of secret 32 bytes in hex.
     *
     * @return the parser; the wrapped text is lower case
     */
    public static Parser<Secret> secretHex32() {
        Parser<String> hex = hex32();
        return new SimpleParser<>("secret hex", hex.allowed(), text -> Secret.of(hex.parse(text)));
    }

    /**
     * Returns a parser of 32-bit masks.
     *
     * @return the parser; the result is an unsigned 32-bit value
     */
    public static Parser<Integer> mask() {
        return new SimpleParser<>("hex mask", "1-8 hex digits, optional 0x", text -> {
            String digits = text.strip();
            if (digits.regionMatches(true, 0, "0x", 0, 2)) {
                digits = digits.substring(2);
            }
            if (digits.isEmpty() || digits.length() > 8 || !HEX.matcher(digits).matches()) {
                throw ParseProblem.malformed("must be 1 to 8 hex chars");
            }
            return Integer.parseUnsignedInt(digits, 16);
        });
    }

    /**
     * Returns a parser of coinbase tags.
     *
     * @return the parser; the result is the tag's bytes in lower-case hex, empty for no tag
     */
    public static Parser<String> coinbaseTag() {
        return new SimpleParser<>("text", "0-40 bytes of printable ASCII", text -> {
            if (!text.chars().allMatch(c -> c < 0x80)) {
                throw ParseProblem.malformed("must be ASCII");
            }
            if (text.length() > MAX_TAG_BYTES) {
                throw ParseProblem.range("must be at most 40 bytes");
            }
            if (!text.chars().allMatch(c -> c >= 0x20 && c <= 0x7e)) {
                throw ParseProblem.malformed("must be printable ASCII only");
            }
            return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
        });
    }

    /**
     * Returns a parser of comma-separated lists.
     *
     * @param element parser of one element, blanks around it already stripped
     * @param <E> type of an element
     * @return the parser; an empty text is an empty list, an empty element is refused
     */
    public static <E> Parser<List<E>> list(Parser<E> element) {
        return new SimpleParser<>("list", "comma-separated: " + element.allowed(), text -> {
            if (text.isBlank()) {
                return List.of();
            }
            List<E> elements = new ArrayList<>();
            for (String part : Arrays.asList(text.split(",", -1))) {
                if (part.isBlank()) {
                    throw ParseProblem.malformed("must not contain an empty element");
                }
                elements.add(element.parse(part.strip()));
            }
            return List.copyOf(elements);
        });
    }
}

package org.prismpool.app.endpoint;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.prismpool.app.http.BadRequestException;
import org.prismpool.app.http.HttpQuery;

/** Reads path segments and query parameters; what cannot be read is the sender's fault. */
final class Paths {

    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,100}");

    private Paths() {}

    /** Whether the path has these segments; {@code *} stands for any one. */
    static boolean matches(HttpQuery query, String... pattern) {
        List<String> segments = query.segments();
        if (segments.size() != pattern.length) {
            return false;
        }
        for (int i = 0; i < pattern.length; i++) {
            if (!pattern[i].equals("*") && !pattern[i].equals(segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** A hash in the path, lower case. */
    static String hash(HttpQuery query, int segment, String name) {
        String text = query.segments().get(segment);
        if (!HASH.matcher(text).matches()) {
            throw new BadRequestException(name + " must be 64 hex characters");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    /** A whole number of any size. */
    static Optional<BigInteger> whole(HttpQuery query, String name) {
        return query.parameter(name).map(text -> {
            if (!WHOLE.matcher(text.strip()).matches()) {
                throw new BadRequestException(name + " must be an integer");
            }
            return new BigInteger(text.strip());
        });
    }

    /** A whole number, moved into a range. */
    static int clamped(HttpQuery query, String name, int otherwise, int least, int most) {
        OptionalInt given = whole(query, name)
                .map(value -> OptionalInt.of(value.max(BigInteger.valueOf(least))
                        .min(BigInteger.valueOf(most))
                        .intValueExact()))
                .orElseGet(OptionalInt::empty);
        return given.orElse(otherwise);
    }
}

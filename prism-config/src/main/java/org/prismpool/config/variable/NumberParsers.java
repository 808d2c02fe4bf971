package org.prismpool.config.variable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Parsers of integers, decimals and durations. Source: spec 01 §2.3-2.5. */
public final class NumberParsers {

    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    private static final Pattern NON_FINITE = Pattern.compile("[+-]?(s?nan|inf|infinity)", Pattern.CASE_INSENSITIVE);
    private static final int MAX_DIGITS = 40;
    private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(31_536_000);

    private NumberParsers() {}

    /** Lower bound of a decimal or duration. */
    public enum Floor {
        /** More than zero. */
        POSITIVE("> 0", "must be positive"),
        /** Zero or more. */
        NON_NEGATIVE(">= 0", "must not be negative"),
        /** One or more. */
        AT_LEAST_ONE(">= 1", "must be at least 1");

        private final String text;
        private final String problem;

        Floor(String text, String problem) {
            this.text = text;
            this.problem = problem;
        }

        private boolean admits(BigDecimal value) {
            return switch (this) {
                case POSITIVE -> value.signum() > 0;
                case NON_NEGATIVE -> value.signum() >= 0;
                case AT_LEAST_ONE -> value.compareTo(BigDecimal.ONE) >= 0;
            };
        }
    }

    /**
     * Returns a parser of 32-bit decimal integers within a range.
     *
     * @param min smallest accepted value
     * @param max largest accepted value; {@link Integer#MAX_VALUE} reads as unbounded
     * @param unit unit for people, empty for a plain number
     * @return the parser
     */
    public static Parser<Integer> int32(int min, int max, String unit) {
        return ranged(
                BigInteger.valueOf(min),
                BigInteger.valueOf(max),
                Integer.MAX_VALUE,
                "integer",
                unit,
                BigInteger::intValueExact);
    }

    /**
     * Returns a parser of 64-bit decimal integers within a range.
     *
     * @param min smallest accepted value
     * @param max largest accepted value; {@link Long#MAX_VALUE} reads as unbounded
     * @param unit unit for people, empty for a plain number
     * @return the parser
     */
    public static Parser<Long> int64(long min, long max, String unit) {
        return ranged(
                BigInteger.valueOf(min),
                BigInteger.valueOf(max),
                Long.MAX_VALUE,
                "integer",
                unit,
                BigInteger::longValueExact);
    }

    /**
     * Returns a parser of exact decimals.
     *
     * @param floor lower bound
     * @param unit unit for people, empty for a plain number
     * @return the parser
     */
    public static Parser<BigDecimal> decimal(Floor floor, String unit) {
        return new SimpleParser<>(named("decimal", unit), floor.text, text -> {
            BigDecimal value = exactDecimal(text);
            if (!floor.admits(value)) {
                throw ParseProblem.range(floor.problem);
            }
            return value;
        });
    }

    /**
     * Returns a parser of exact decimals with an upper bound.
     *
     * @param floor lower bound
     * @param max largest accepted value
     * @return the parser
     */
    public static Parser<BigDecimal> decimalUpTo(Floor floor, BigDecimal max) {
        Parser<BigDecimal> unbounded = decimal(floor, "");
        String allowed = floor.text + " and <= " + max.toPlainString();
        return new SimpleParser<>(unbounded.type(), allowed, text -> {
            BigDecimal value = unbounded.parse(text);
            if (value.compareTo(max) > 0) {
                throw ParseProblem.range("must be " + allowed);
            }
            return value;
        });
    }

    /**
     * Returns a parser of durations given as a decimal number of seconds.
     *
     * @param floor lower bound
     * @return the parser; the result has nanosecond precision, rounded half up, and is at most one year
     */
    public static Parser<Duration> seconds(Floor floor) {
        return duration(floor, "seconds", 9);
    }

    /**
     * Returns a parser of durations given as a decimal number of milliseconds.
     *
     * @param floor lower bound
     * @return the parser
     */
    public static Parser<Duration> milliseconds(Floor floor) {
        return duration(floor, "milliseconds", 6);
    }

    private static Parser<Duration> duration(Floor floor, String unit, int nanosExponent) {
        return new SimpleParser<>("duration in " + unit, floor.text, text -> {
            BigDecimal value = exactDecimal(text);
            if (!floor.admits(value)) {
                throw ParseProblem.range(floor.problem);
            }
            BigDecimal nanos = value.scaleByPowerOfTen(nanosExponent).setScale(0, RoundingMode.HALF_UP);
            if (nanos.compareTo(MAX_SECONDS.scaleByPowerOfTen(9)) > 0) {
                throw ParseProblem.range("must be at most 31536000 seconds");
            }
            if (nanos.signum() == 0 && value.signum() != 0) {
                throw ParseProblem.range("must be at least one nanosecond");
            }
            return Duration.ofNanos(nanos.longValueExact());
        });
    }

    private static <T> Parser<T> ranged(
            BigInteger min, BigInteger max, long typeMax, String type, String unit, Function<BigInteger, T> convert) {
        boolean unbounded = max.equals(BigInteger.valueOf(typeMax));
        String allowed = unbounded ? ">= " + min : min + "-" + max;
        String problem = unbounded ? "must be at least " + min : "must be between " + min + " and " + max;
        return new SimpleParser<>(named(type, unit), allowed, text -> {
            String stripped = text.strip();
            if (!INTEGER.matcher(stripped).matches()) {
                throw ParseProblem.malformed("must be a decimal integer");
            }
            BigInteger value = new BigInteger(stripped);
            BigInteger nearest = value.max(min).min(max);
            if (!nearest.equals(value)) {
                throw ParseProblem.range(problem, convert.apply(nearest));
            }
            return convert.apply(value);
        });
    }

    private static BigDecimal exactDecimal(String text) throws ParseProblem {
        String stripped = text.strip();
        if (NON_FINITE.matcher(stripped).matches()) {
            throw ParseProblem.nonFinite();
        }
        if (!DECIMAL.matcher(stripped).matches()) {
            throw ParseProblem.malformed("must be a decimal number");
        }
        int exponentAt = Math.max(stripped.indexOf('e'), stripped.indexOf('E'));
        // An exponent of many digits would overflow BigDecimal's int scale: refuse it before parsing.
        if (exponentAt >= 0
                && new BigInteger(stripped.substring(exponentAt + 1)).abs().bitLength() > 16) {
            throw ParseProblem.nonFinite();
        }
        BigDecimal value = new BigDecimal(stripped);
        int magnitude = value.signum() == 0 ? 0 : value.precision() - value.scale() - 1;
        if (magnitude > 308) {
            throw ParseProblem.nonFinite(); // what the reference's float overflow reports
        }
        if (value.stripTrailingZeros().precision() > MAX_DIGITS || Math.abs(magnitude) > MAX_DIGITS) {
            throw ParseProblem.range("must have at most " + MAX_DIGITS
                    + " significant digits and a decimal exponent within +-" + MAX_DIGITS);
        }
        return value;
    }

    private static String named(String type, String unit) {
        return unit.isEmpty() ? type : type + " (" + unit + ")";
    }
}

package org.prismpool.app.dashboard;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;

/** Numbers as the page shows them, the same as its scripts write them. */
final class Units {

    private static final List<String> RATES =
            List.of("mH/s", "H/s", "kH/s", "MH/s", "GH/s", "TH/s", "PH/s", "EH/s", "ZH/s", "YH/s");
    private static final List<String> SI = List.of("", "k", "M", "G", "T", "P", "E", "Z", "Y");
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
    private static final long MINUTE = 60;
    private static final long HOUR = 3600;
    private static final long DAY = 86_400;

    private Units() {}

    /** A hash rate that is given as decimal text in TH/s. */
    static String rate(String ths) {
        BigDecimal value = new BigDecimal(ths);
        if (value.signum() <= 0) {
            return "0 H/s";
        }
        int unit = RATES.indexOf("TH/s");
        while (value.compareTo(THOUSAND) >= 0 && unit < RATES.size() - 1) {
            value = value.movePointLeft(3);
            unit++;
        }
        while (value.compareTo(BigDecimal.ONE) < 0 && unit > 0) {
            value = value.movePointRight(3);
            unit--;
        }
        return digits(value) + " " + RATES.get(unit);
    }

    /** A large count, shortened. */
    static String shortened(String count) {
        BigDecimal value = new BigDecimal(count);
        int unit = 0;
        while (value.compareTo(THOUSAND) >= 0 && unit < SI.size() - 1) {
            value = value.movePointLeft(3);
            unit++;
        }
        return unit == 0 ? count : digits(value) + " " + SI.get(unit);
    }

    private static String digits(BigDecimal value) {
        int decimals = value.compareTo(BigDecimal.valueOf(100)) >= 0 ? 0 : value.compareTo(BigDecimal.TEN) >= 0 ? 1 : 2;
        return value.setScale(decimals, RoundingMode.HALF_UP).toPlainString();
    }

    /** Bits as coins with eight decimals, and the bits behind. */
    static String coins(BigInteger bits) {
        String text = String.format(Locale.ROOT, "%09d", bits);
        int point = text.length() - 8;
        return grouped(text.substring(0, point)) + "." + text.substring(point) + " (" + grouped(bits.toString())
                + " bits)";
    }

    /** A whole number with commas. */
    static String grouped(String count) {
        return count.replaceAll("\\B(?=(\\d{3})+(?!\\d))", ",");
    }

    static String duration(BigInteger seconds) {
        long s = seconds.max(BigInteger.ZERO)
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValueExact();
        if (s < MINUTE) {
            return s + " s";
        }
        if (s < HOUR) {
            return s / MINUTE + " min" + (s % MINUTE == 0 ? "" : " " + s % MINUTE + " s");
        }
        return s < DAY ? s / HOUR + " h " + s % HOUR / MINUTE + " min" : s / DAY + " d " + s % DAY / HOUR + " h";
    }
}

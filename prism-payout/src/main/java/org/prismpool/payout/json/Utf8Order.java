package org.prismpool.payout.json;

import java.util.Comparator;

/** The order of texts in every payout document: by Unicode code point, which is the order of the UTF-8 bytes. */
public final class Utf8Order {

    /** Compares by code point; {@link String#compareTo} differs above U+FFFF and must not be used. */
    public static final Comparator<String> COMPARATOR = Utf8Order::compare;

    private Utf8Order() {}

    /**
     * Compares two texts by code point.
     *
     * @param left one text
     * @param right the other text
     * @return negative, zero or positive
     */
    public static int compare(String left, String right) {
        int common = Math.min(left.length(), right.length());
        for (int i = 0; i < common; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean aSurrogate = Character.isSurrogate(a);
                if (aSurrogate != Character.isSurrogate(b)) {
                    // A surrogate stands for a code point above every other UTF-16 unit.
                    return aSurrogate ? 1 : -1;
                }
                return a - b;
            }
        }
        return left.length() - right.length();
    }
}

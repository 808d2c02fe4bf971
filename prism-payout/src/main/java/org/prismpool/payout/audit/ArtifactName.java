package org.prismpool.payout.audit;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The exact names of files in an audit store (payout specification 15.1). A name that does not match exactly is {@link
 * Kind#OTHER} and grants no right to read, keep or delete.
 *
 * @param kind what the file is
 * @param name its name
 * @param height block height of an envelope, else 0
 */
record ArtifactName(Kind kind, String name, long height) {

    private static final String NUMBER = "(0|[1-9][0-9]{0,19})";
    private static final String HASH = "([0-9a-f]{64})";
    private static final Pattern BODY = Pattern.compile("prism-audit-bundle-body-" + HASH + "-" + HASH + "\\.json");
    private static final Pattern SEGMENT =
            Pattern.compile("prism-audit-share-segment-" + NUMBER + "-" + NUMBER + "-" + HASH + "\\.json");
    private static final Pattern SLOT =
            Pattern.compile("prism-audit-share-segment-slot-" + NUMBER + "-" + NUMBER + "\\.json");
    private static final Pattern ENVELOPE =
            Pattern.compile("prism-live-audit-bundle-" + NUMBER + "-" + HASH + "\\.json");
    private static final Pattern CANDIDATE =
            Pattern.compile("\\.prism-live-audit-bundle-candidate-" + HASH + "(-[0-9a-f]{32})?\\.json\\.tmp");

    /** What a file is. */
    enum Kind {
        /** A body. */
        BODY,
        /** A slot or an immutable segment. */
        SHARE_SEGMENT,
        /** A live envelope. */
        LIVE_BUNDLE,
        /** An unpublished candidate. */
        CANDIDATE,
        /** Anything else. */
        OTHER
    }

    static String body(String blockHash, String digest) {
        return "prism-audit-bundle-body-" + blockHash + "-" + digest + ".json";
    }

    static String segment(long first, long last, String digest) {
        return "prism-audit-share-segment-" + Long.toUnsignedString(first) + "-" + Long.toUnsignedString(last) + "-"
                + digest + ".json";
    }

    static String slot(long first, long last) {
        return "prism-audit-share-segment-slot-" + Long.toUnsignedString(first) + "-" + Long.toUnsignedString(last)
                + ".json";
    }

    static String envelope(long height, String blockHash) {
        return "prism-live-audit-bundle-" + Long.toUnsignedString(height) + "-" + blockHash + ".json";
    }

    static String candidate(String blockHash, UUID token) {
        return ".prism-live-audit-bundle-candidate-" + blockHash + "-"
                + token.toString().replace("-", "") + ".json.tmp";
    }

    static ArtifactName of(String name) {
        if (BODY.matcher(name).matches()) {
            return new ArtifactName(Kind.BODY, name, 0);
        }
        if (inOrder(SEGMENT.matcher(name)) || inOrder(SLOT.matcher(name))) {
            return new ArtifactName(Kind.SHARE_SEGMENT, name, 0);
        }
        Matcher envelope = ENVELOPE.matcher(name);
        if (envelope.matches()) {
            Optional<Long> height = unsigned(envelope.group(1));
            return height.map(value -> new ArtifactName(Kind.LIVE_BUNDLE, name, value))
                    .orElseGet(() -> new ArtifactName(Kind.OTHER, name, 0));
        }
        boolean candidate = CANDIDATE.matcher(name).matches();
        return new ArtifactName(candidate ? Kind.CANDIDATE : Kind.OTHER, name, 0);
    }

    private static boolean inOrder(Matcher range) {
        if (!range.matches()) {
            return false;
        }
        Optional<Long> first = unsigned(range.group(1));
        Optional<Long> last = unsigned(range.group(2));
        return first.isPresent() && last.isPresent() && Long.compareUnsigned(first.get(), last.get()) <= 0;
    }

    private static Optional<Long> unsigned(String digits) {
        try {
            return Optional.of(Long.parseUnsignedLong(digits));
        } catch (NumberFormatException e) {
            return Optional.empty(); // above 2^64 - 1: not one of our names
        }
    }
}

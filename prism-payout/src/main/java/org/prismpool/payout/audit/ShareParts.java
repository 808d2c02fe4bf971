package org.prismpool.payout.audit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WindowShare;

/** Collects the shares of a compact body from its parts, checking each (payout specification 13). For one thread. */
final class ShareParts {

    private final SegmentFiles files;
    private final IdentityPool identities = new IdentityPool();
    private final List<WindowShare> shares = new ArrayList<>();

    private ShareParts(SegmentFiles files) {
        this.files = files;
    }

    static List<WindowShare> collect(List<SharePart> parts, SegmentFiles files) {
        ShareParts collector = new ShareParts(files);
        for (SharePart part : parts) {
            collector.add(part);
        }
        return collector.shares;
    }

    static PayoutRuleException invalid(String reason) {
        return new PayoutRuleException("invalid audit body ref: " + reason);
    }

    static PayoutRuleException hashMismatch(String expected, String actual) {
        return new PayoutRuleException("audit body ref hash mismatch: expected " + Hex.asciiLowerCase(expected)
                + ", got " + Hex.asciiLowerCase(actual));
    }

    static void checkContiguous(List<WindowShare> run, String label) {
        for (int i = 1; i < run.size(); i++) {
            long previous = run.get(i - 1).shareSeq();
            long next = run.get(i).shareSeq();
            if (next != previous + 1) {
                throw invalid(label + " has non-contiguous share_seq values: " + Long.toUnsignedString(previous)
                        + " then " + Long.toUnsignedString(next));
            }
        }
    }

    private void add(SharePart part) {
        List<WindowShare> run = switch (part.kind()) {
            case INLINE -> part.shares();
            case SEGMENT -> wholeSegment(part);
            case SEGMENT_RANGE, SEGMENT_PREFIX -> selected(part, segment(part, read(part)));
        };
        checkRun(part, run);
        if (part.kind() == SharePart.Kind.SEGMENT_RANGE || part.kind() == SharePart.Kind.SEGMENT_PREFIX) {
            checkRunHash(part, run);
        }
        if (!shares.isEmpty() && !run.isEmpty()) {
            long previous = shares.get(shares.size() - 1).shareSeq();
            if (run.get(0).shareSeq() != previous + 1) {
                throw invalid("share parts are not contiguous: " + Long.toUnsignedString(previous) + " then "
                        + Long.toUnsignedString(run.get(0).shareSeq()));
            }
        }
        shares.addAll(run);
    }

    private List<WindowShare> wholeSegment(SharePart part) {
        byte[] bytes = read(part);
        String actual = Sha256.hex(bytes);
        if (!Hex.equalsIgnoringAsciiCase(actual, part.sha256())) {
            throw hashMismatch(part.sha256(), actual);
        }
        ShareSegment segment = segment(part, bytes);
        if (segment.firstShareSeq() != part.firstShareSeq()
                || segment.lastShareSeq() != part.lastShareSeq()
                || segment.shareCount() != part.shareCount()) {
            throw invalid("share segment metadata mismatch at " + files.describe(part.bodyUri()));
        }
        return segment.shares();
    }

    private List<WindowShare> selected(SharePart part, ShareSegment segment) {
        if (part.kind() == SharePart.Kind.SEGMENT_PREFIX && segment.firstShareSeq() != part.firstShareSeq()) {
            throw invalid("share segment prefix first_share_seq mismatch at " + files.describe(part.bodyUri()));
        }
        return segment.shares().stream()
                .filter(share -> Long.compareUnsigned(share.shareSeq(), part.firstShareSeq()) >= 0
                        && Long.compareUnsigned(share.shareSeq(), part.lastShareSeq()) <= 0)
                .toList();
    }

    private byte[] read(SharePart part) {
        try {
            return files.read(part.bodyUri());
        } catch (IOException e) {
            throw AuditArtifact.unreadable(e);
        }
    }

    private ShareSegment segment(SharePart part, byte[] bytes) {
        ShareSegment segment;
        try {
            segment = ShareSegment.read(ExactReader.of(bytes), identities);
        } catch (JsonException e) {
            throw AuditArtifact.malformed(e);
        }
        if (!segment.schema().equals(ShareSegment.SCHEMA)) {
            throw invalid(
                    "unsupported share segment schema " + segment.schema() + " at " + files.describe(part.bodyUri()));
        }
        return segment;
    }

    private static void checkRun(SharePart part, List<WindowShare> run) {
        String label = part.kind().label;
        if (run.size() != part.shareCount()) {
            throw invalid(
                    label + " expected " + Long.toUnsignedString(part.shareCount()) + " shares, found " + run.size());
        }
        if (run.isEmpty()
                || run.get(0).shareSeq() != part.firstShareSeq()
                || run.get(run.size() - 1).shareSeq() != part.lastShareSeq()) {
            throw invalid(label + " share_seq range does not match metadata");
        }
        checkContiguous(run, label);
    }

    // The reference's store hashed segments with escaped text, its reader with raw text: either one is accepted.
    private static void checkRunHash(SharePart part, List<WindowShare> run) {
        byte[] canonical = ShareSegment.of(run).canonicalBytes();
        String actual = Sha256.hex(canonical);
        if (Hex.equalsIgnoringAsciiCase(actual, part.sha256())) {
            return;
        }
        byte[] escaped = escaped(canonical);
        if (!Hex.equalsIgnoringAsciiCase(Sha256.hex(escaped), part.sha256())) {
            throw hashMismatch(part.sha256(), actual);
        }
    }

    /** Escapes everything outside ASCII; bytes of structure are never outside ASCII. */
    static byte[] escaped(byte[] canonical) {
        String text = new String(canonical, StandardCharsets.UTF_8);
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            JsonTree.appendAscii(escaped, text.charAt(i));
        }
        return escaped.toString().getBytes(StandardCharsets.US_ASCII);
    }
}

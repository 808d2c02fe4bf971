package org.prismpool.payout.window;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.json.U128;

/** The content digest {@code share_snapshot_sha256} that names a window snapshot in caches (payout specification 16). */
public final class WindowDigest {

    private static final int BLOCK = 1 << 16;

    private WindowDigest() {}

    /**
     * Digests a snapshot: SHA-256 of a compact JSON array with sorted member names and everything outside ASCII escaped.
     *
     * @param ascending shares in ascending sequence
     * @return 64 lower-case digits
     */
    public static String of(Iterable<WindowShare> ascending) {
        MessageDigest digest = Sha256.newDigest();
        StringBuilder out = new StringBuilder(BLOCK + BLOCK / 4);
        Written written = new Written();
        char separator = '[';
        for (WindowShare share : ascending) {
            out.append(separator);
            write(share, written, out);
            separator = ',';
            if (out.length() >= BLOCK) {
                flush(out, digest);
            }
        }
        if (separator == '[') {
            out.append(separator);
        }
        out.append(']');
        flush(out, digest);
        return Hex.encode(digest.digest());
    }

    private static void flush(StringBuilder out, MessageDigest digest) {
        digest.update(out.toString().getBytes(StandardCharsets.US_ASCII));
        out.setLength(0);
    }

    /** Texts of values that neighbours share: most shares of a window have one difficulty and few identities. */
    private static final class Written {
        private @Nullable U128 shareDifficulty;
        private String shareDifficultyText = "";
        private @Nullable U128 networkDifficulty;
        private String networkDifficultyText = "";

        String shareDifficulty(U128 value) {
            if (!value.equals(shareDifficulty)) {
                shareDifficulty = value;
                shareDifficultyText = value.toString();
            }
            return shareDifficultyText;
        }

        String networkDifficulty(U128 value) {
            if (!value.equals(networkDifficulty)) {
                networkDifficulty = value;
                networkDifficultyText = value.toString();
            }
            return networkDifficultyText;
        }
    }

    /** Writes the members in the order of their names. */
    private static void write(WindowShare share, Written written, StringBuilder out) {
        out.append("{\"accepted_at_ms\":").append(share.acceptedAtMs());
        if (share.creditPolicy() != null) {
            quoted(out.append(",\"credit_policy\":"), share.creditPolicy());
        }
        quoted(out.append(",\"job_id\":"), share.jobId());
        out.append(",\"job_issued_at_ms\":").append(share.jobIssuedAtMs());
        quoted(out.append(",\"miner_id\":"), share.identity().recipientId());
        out.append(",\"network_difficulty\":").append(written.networkDifficulty(share.networkDifficulty()));
        out.append(",\"ntime\":").append(share.ntime());
        quoted(out.append(",\"order_key\":"), share.identity().orderKey());
        quoted(out.append(",\"p2mr_program_hex\":"), share.identity().programHex());
        out.append(",\"share_difficulty\":").append(written.shareDifficulty(share.shareDifficulty()));
        quoted(out.append(",\"share_id\":"), share.shareId());
        out.append(",\"share_seq\":").append(Long.toUnsignedString(share.shareSeq()));
        out.append(",\"template_height\":").append(Long.toUnsignedString(share.templateHeight()));
        out.append('}');
    }

    private static void quoted(StringBuilder out, String text) {
        if (isPlain(text)) {
            out.append('"').append(text).append('"');
        } else {
            out.append(JsonTree.sortedAscii(text));
        }
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }
}

package org.prismpool.payout.window;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.OverlappedSha256;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.json.U128;

/** The content digest {@code share_snapshot_sha256} that names a window snapshot in caches (payout specification 16). */
public final class WindowDigest {

    private static final int BLOCK = 1 << 16;
    private static final int IDENTITIES = 1 << 12; // texts that are kept while a digest is made

    private WindowDigest() {}

    /**
     * Digests a snapshot: SHA-256 of a compact JSON array with sorted member names and everything outside ASCII escaped.
     *
     * @param ascending shares in ascending sequence
     * @return 64 lower-case digits
     */
    public static String of(Iterable<WindowShare> ascending) {
        if (ascending instanceof Collection<WindowShare> all && all.size() >= RewardWindow.LARGE) {
            return Hex.encode(OverlappedSha256.of(sink -> write(ascending, sink)));
        }
        MessageDigest digest = Sha256.newDigest();
        write(ascending, ByteSink.to(digest));
        return Hex.encode(digest.digest());
    }

    private static void write(Iterable<WindowShare> ascending, ByteSink sink) {
        StringBuilder out = new StringBuilder(BLOCK + BLOCK / 4);
        Written written = new Written();
        char separator = '[';
        for (WindowShare share : ascending) {
            out.append(separator);
            write(share, written, out);
            separator = ',';
            if (out.length() >= BLOCK) {
                flush(out, sink);
            }
        }
        if (separator == '[') {
            out.append(separator);
        }
        out.append(']');
        flush(out, sink);
    }

    private static void flush(StringBuilder out, ByteSink sink) {
        byte[] bytes = out.toString().getBytes(StandardCharsets.US_ASCII);
        sink.accept(bytes, 0, bytes.length);
        out.setLength(0);
    }

    /** Texts of values that neighbours share: most shares of a window have one difficulty and few identities. */
    private static final class Written {
        private @Nullable U128 shareDifficulty;
        private String shareDifficultyText = "";
        private @Nullable U128 networkDifficulty;
        private String networkDifficultyText = "";
        private final Map<PayoutIdentity, IdentityText> identities = new HashMap<>();

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

        IdentityText identity(PayoutIdentity value) {
            IdentityText known = identities.get(value);
            if (known == null) {
                if (identities.size() >= IDENTITIES) {
                    identities.clear();
                }
                known = IdentityText.of(value);
                identities.put(value, known);
            }
            return known;
        }
    }

    /** The members that an identity gives to each of its shares. */
    private record IdentityText(String minerId, String orderKeyAndProgram) {

        static IdentityText of(PayoutIdentity identity) {
            StringBuilder miner = new StringBuilder();
            quoted(miner.append(",\"miner_id\":"), identity.recipientId());
            StringBuilder rest = new StringBuilder();
            quoted(rest.append(",\"order_key\":"), identity.orderKey());
            quoted(rest.append(",\"p2mr_program_hex\":"), identity.programHex());
            return new IdentityText(miner.toString(), rest.toString());
        }
    }

    /** Writes the members in the order of their names. */
    private static void write(WindowShare share, Written written, StringBuilder out) {
        out.append("{\"accepted_at_ms\":").append(share.acceptedAtMs());
        if (share.creditPolicy().isPresent()) {
            quoted(out.append(",\"credit_policy\":"), share.creditPolicy().get());
        }
        quoted(out.append(",\"job_id\":"), share.jobId());
        out.append(",\"job_issued_at_ms\":").append(share.jobIssuedAtMs());
        IdentityText identity = written.identity(share.identity());
        out.append(identity.minerId());
        out.append(",\"network_difficulty\":").append(written.networkDifficulty(share.networkDifficulty()));
        out.append(",\"ntime\":").append(share.ntime());
        out.append(identity.orderKeyAndProgram());
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

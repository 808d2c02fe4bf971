package org.prismpool.payout.window;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.Sha256;

/** The content digest {@code share_snapshot_sha256} that names a window snapshot in caches (payout specification 16). */
public final class WindowDigest {

    private WindowDigest() {}

    /**
     * Digests a snapshot: SHA-256 of a compact JSON array with sorted member names and everything outside ASCII escaped.
     *
     * @param ascending shares in ascending sequence
     * @return 64 lower-case digits
     */
    public static String of(Iterable<WindowShare> ascending) {
        MessageDigest digest = Sha256.newDigest();
        byte separator = '[';
        for (WindowShare share : ascending) {
            digest.update(separator);
            digest.update(JsonTree.sortedAscii(members(share)).getBytes(StandardCharsets.US_ASCII));
            separator = ',';
        }
        if (separator == '[') {
            digest.update(separator);
        }
        digest.update((byte) ']');
        return Hex.encode(digest.digest());
    }

    private static Map<String, @Nullable Object> members(WindowShare share) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        members.put("share_seq", new BigInteger(Long.toUnsignedString(share.shareSeq())));
        members.put("share_id", share.shareId());
        members.put("miner_id", share.identity().recipientId());
        members.put("order_key", share.identity().orderKey());
        members.put("p2mr_program_hex", share.identity().programHex());
        members.put("share_difficulty", share.shareDifficulty().toBigInteger());
        members.put("network_difficulty", share.networkDifficulty().toBigInteger());
        members.put("template_height", new BigInteger(Long.toUnsignedString(share.templateHeight())));
        members.put("job_id", share.jobId());
        members.put("job_issued_at_ms", share.jobIssuedAtMs());
        members.put("accepted_at_ms", share.acceptedAtMs());
        members.put("ntime", share.ntime());
        if (share.creditPolicy() != null) {
            members.put("credit_policy", share.creditPolicy());
        }
        return members;
    }
}

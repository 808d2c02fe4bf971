package org.prismpool.payout.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.U128;

/** The digest is that of the whole document as a general JSON writer writes it. */
class WindowDigestProperties {

    private static final String[] TEXTS = {
        "plain", "with \"quotes\"", "back\\slash", "tab\t", "\u00e9", "\ud83d\ude00", "\u007f"
    };

    @Property(tries = 200)
    void theDigestIsThatOfTheWholeDocument(@ForAll long seed) {
        Random random = new Random(seed);
        List<WindowShare> shares = new ArrayList<>();
        List<Map<String, @Nullable Object>> document = new ArrayList<>();
        for (int i = random.nextInt(40); i > 0; i--) {
            WindowShare share = share(random);
            shares.add(share);
            document.add(members(share));
        }

        assertThat(WindowDigest.of(shares)).isEqualTo(JsonTree.sortedAsciiSha256(document));
    }

    @Example
    void aLargeWindowIsDigestedOnTwoThreadsToTheSameValue() {
        Random random = new Random(7);
        List<WindowShare> shares = new ArrayList<>();
        List<Map<String, @Nullable Object>> document = new ArrayList<>();
        for (int i = 0; i < RewardWindow.LARGE; i++) {
            WindowShare share = share(random);
            shares.add(share);
            document.add(members(share));
        }

        assertThat(WindowDigest.of(shares)).isEqualTo(JsonTree.sortedAsciiSha256(document));
    }

    @Example
    void anEmptyWindowIsAnEmptyArray() {
        // SHA-256 of "[]"
        assertThat(WindowDigest.of(List.of()))
                .isEqualTo("4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
    }

    private static WindowShare share(Random random) {
        String text = TEXTS[random.nextInt(TEXTS.length)];
        U128 difficulty = U128.ofHalves(random.nextInt(2), random.nextLong());
        return new WindowShare(
                random.nextLong(),
                "share-" + text,
                new IdentityPool().identity("miner-" + text, "order-" + text, "ab".repeat(32)),
                difficulty,
                U128.ofUnsigned(random.nextLong()),
                random.nextInt(1 << 20),
                "job-" + random.nextInt(),
                random.nextLong(1L << 42),
                random.nextLong(1L << 42),
                random.nextInt(1 << 30),
                random.nextBoolean() ? Optional.of("stale-grace") : Optional.empty());
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
        share.creditPolicy().ifPresent(policy -> members.put("credit_policy", policy));
        return members;
    }
}

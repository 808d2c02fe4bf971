package org.prismpool.payout.finalization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.payout.ctv.CtvSettlement;
import org.prismpool.payout.ctv.SettlementLimits;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.templates.chain.Hash256;

class IntentCodecTest {

    private static final Hash256 HASH =
            Hash256.ofDisplayHex("165a93f1ab9c7be115e870e2246722e4da1e5a5e4b32824679426119139f8d46");

    @Test
    void theIdentityOfExampleAIsTheFixtureOfTheContract() {
        CandidateIntent intent = IntentCodec.decode(HASH, exampleA(1738713662500L));

        assertThat(IntentCodec.encode(intent).sha256())
                .isEqualTo("a6a8bce5d4673189d9ad2303179afa3bc58d836b5b057944251a9137ed69b9e1");
    }

    @Test
    void aResubmissionWithAnotherAcceptanceTimeKeepsTheIdentity() {
        CandidateIntent first = IntentCodec.decode(HASH, exampleA(1738713662500L));
        CandidateIntent later = first.acceptedAt(1738713699999L);

        assertThat(IntentCodec.encode(later).sha256())
                .isEqualTo("a6a8bce5d4673189d9ad2303179afa3bc58d836b5b057944251a9137ed69b9e1");
        assertThat(IntentCodec.encode(later).json()).contains("\"accepted_at_ms\":1738713699999");
    }

    @Test
    void anotherExtranonceIsAnotherIdentity() {
        String other = exampleA(1738713662500L)
                .replace("\"extranonce2_hex\":\"0000000000000000\"", "\"extranonce2_hex\":\"0000000000000001\"");

        String sha = IntentCodec.encode(IntentCodec.decode(HASH, other)).sha256();

        assertThat(sha).startsWith("b3ba71e8").endsWith("d8d3");
    }

    @Test
    void everyMemberSurvivesARoundTrip() {
        CandidateIntent example = IntentCodec.decode(HASH, exampleA(1738713662500L));
        PayoutIdentity miner = new PayoutIdentity("miner-ä", "01", "ab".repeat(32));
        WindowShare share = new WindowShare(
                7,
                "id-7",
                miner,
                U128.ofUnsigned(5),
                U128.MAX,
                9,
                "job-7",
                1000,
                1001,
                4_294_967_295L,
                Optional.of("stale-grace"));
        IntentWork work = new IntentWork(
                List.of(share),
                List.of(PriorBalance.of(miner, java.math.BigInteger.valueOf(-5))),
                new FoundBlock(1, 21_000_000_000L, U128.ofUnsigned(1_000_000), 999),
                Optional.of(List.of(PriorBalance.of(miner, java.math.BigInteger.TEN))),
                List.of("cd".repeat(32)),
                Optional.of(new BuildInputs(
                        PayoutPolicy.DAY_ONE,
                        Optional.of(new CtvSettlement(1, SettlementLimits.DEFAULT, Optional.empty())))),
                true);
        CandidateIntent intent = new CandidateIntent(example.solution(), work, "user.rig", example.share(), true);

        EncodedIntent encoded = IntentCodec.encode(intent);

        assertThat(IntentCodec.decode(HASH, encoded.json())).isEqualTo(intent);
        assertThat(encoded.json()).isPrintable().contains("\"miner_id\":\"miner-\\u00e4\"");
    }

    @Test
    void aRowUnderAnotherHashIsRefused() {
        assertThatThrownBy(() -> IntentCodec.decode(Hash256.ZERO, exampleA(1)))
                .isInstanceOf(InvalidIntentException.class)
                .hasMessageStartingWith("invalid durable candidate intent");
    }

    @Test
    void aContradictionOrAMissingMemberIsRefused() {
        for (String broken : List.of(
                exampleA(1).replace("intent.v1", "intent.v2"),
                exampleA(1).replace("\"expected_height\":1", "\"expected_height\":2"),
                exampleA(1).replaceFirst("\"parent_hash\":\"..", "\"parent_hash\":\"ff"),
                exampleA(1).replace("\"username\":", "\"user\":"),
                "{}",
                "null",
                "{\"schema\":1}")) {
            assertThatThrownBy(() -> IntentCodec.decode(HASH, broken))
                    .isInstanceOf(InvalidIntentException.class)
                    .hasMessageStartingWith("invalid durable candidate intent");
        }
    }

    @Test
    void unknownMembersAreIgnored() {
        String extended = exampleA(1738713662500L).replaceFirst("\\{", "{\"later\":[{\"a\":1}],");

        assertThat(IntentCodec.decode(HASH, extended)).isEqualTo(IntentCodec.decode(HASH, exampleA(1738713662500L)));
    }

    /** Worked example A of spec 03 §4.6 as an intent; stored with its acceptance time left open. */
    private static String exampleA(long acceptedAtMs) {
        try (InputStream in = Objects.requireNonNull(
                IntentCodecTest.class.getResourceAsStream("/vectors/candidate-intent-example-a.json"))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .replace("\"accepted_at_ms\":null", "\"accepted_at_ms\":" + acceptedAtMs);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

package org.prismpool.payout.coinbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.ManifestSignature;
import org.prismpool.payout.signing.SignatureVerifier;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WeightedEntitlement;

/** The three fixtures of the block specification, section 5.6, and its boundary tables. */
class CoinbaseFixtureTest {

    private static final SigningSeed SEED =
            SigningSeed.ofHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");

    @Test
    void theSeedHasThePublishedPublicKey() {
        assertThat(SEED.publicKeyHex()).isEqualTo("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8");
        assertThat(SEED.toString()).doesNotContain("0001020304");
    }

    @Test
    void fixtureAOneRecipientAtHeightOne() {
        String address = "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s8kqqny";
        expect(
                new CoinbaseBuildRequest(
                        1,
                        21_000_000_000L,
                        List.of(entitlement(
                                address,
                                address,
                                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                                1)),
                        Optional.empty(),
                        List.of(),
                        Optional.of("2f505249534d2f000000010000000000000000"),
                        Optional.empty()),
                "873e5e254a013e556962438d63ef0b02d49f2598e462f0c4f34d0ca0b23c2d79",
                "ca1be3dfcc8f93405699598b7b4bc96a18fffec15bb56b1ec6db86f5703aeba6"
                        + "eb3b3c2a11fe6640fcfdaea2fd532e63dc7b7aee197b9975c9ea8c7b3053420f");
    }

    @Test
    void fixtureBPinnedFeeWithWitnessLeaves() {
        CoinbaseManifest manifest = CoinbaseBuilder.build(new CoinbaseBuildRequest(
                70_000,
                20_092_801_000L,
                List.of(
                        entitlement("miner-a", "01", "aa".repeat(32), 3),
                        entitlement("miner-b", "02", "bb".repeat(32), 3),
                        entitlement("pool-fee", "zz", "ff".repeat(32), 1)),
                Optional.of("77".repeat(32)),
                List.of(
                        "7bdf89fbd74742f82496218f9c18b4b5768e9e001768344b5344c1c1e643641f",
                        "83429c37b8d4d4613c3d006e3df6a749035ae651be16279921fd5eb4db5608a0"),
                Optional.of("2f505249534d2f0000002acafebabe00000001"),
                Optional.of(new PayoutIdentity("pool-fee", "zz", "ff".repeat(32)))));

        assertThat(manifest.outputs().stream().map(CoinbaseOutput::amountSats))
                .containsExactly(2_870_400_143L, 8_611_200_429L, 8_611_200_428L);
        assertThat(manifest.coinbaseTxid())
                .isEqualTo("08304c96665b13234a49b8894e8a0b7bae4250f6adac0b4a18d7014012674a99");
        assertThat(manifest.coinbaseWtxid())
                .isEqualTo("aa669af2319c0f2ab4dee9d064a86edc1cfdbfef278df8c5d522bf8737640b1e");
        assertThat(manifest.witnessCommitmentScriptHex())
                .isEqualTo("6a24aa21a9ed14e1162af1fd023b5bb0885929fe7e4c59f82789ea59ef0c6811d1d21f147bbf");
        assertThat(manifest.canonicalBytes()).hasSize(2079);
        assertThat(Sha256.hex(manifest.canonicalBytes()))
                .isEqualTo("f47d30522fd65bab0c1b86fbbdef338233ae2574102ac15eca8856f1cc3e5357");
        SignedCoinbaseManifest signed = SignedCoinbaseManifest.sign(manifest, SEED);
        signed.verifySignature();
        assertThat(signed.signature().signatureHex())
                .isEqualTo("34d1d8ee8e7ed04fe45ed16a7446b453aa26ce7ac344e0e14541d95d52515a9d"
                        + "233db00ad3d8b390eca81b1e60330dcab3d42a1dc2a4c7867857d9ee06b56509");
    }

    @Test
    void fixtureCThreeEqualMinersInAnyOrder() {
        List<WeightedEntitlement> miners = new ArrayList<>(List.of(
                entitlement("miner-a", "01", "01".repeat(32), 1),
                entitlement("miner-b", "02", "02".repeat(32), 1),
                entitlement("miner-c", "03", "03".repeat(32), 1)));
        for (int i = 0; i < 3; i++) {
            Collections.rotate(miners, 1);
            expect(
                    new CoinbaseBuildRequest(
                            42, 500_000_000, miners, Optional.empty(), List.of(), Optional.empty(), Optional.empty()),
                    "af926a8c642175914817862378f0a8c651c608d3b6b8c90f5f97e828dc748d25",
                    "19ca0696dd81e4f1a69852f6a6be80aa2856531da2fa418f0cdc036b9e6aef45"
                            + "40c3ba4afd5228886025c9b47f61e526a25c41166aeb52ead5310283ccd20a0f");
        }
    }

    @Test
    void onlyTheCompactFormInItsOwnOrderIsWhatIsSigned() {
        String text = new String(CoinbaseBuilder.build(request(42, "")).canonicalBytes(), StandardCharsets.UTF_8);
        ManifestSignature signature = SEED.signature(text.getBytes(StandardCharsets.UTF_8));
        String schema = "\"schema\":\"qbit.prism.coinbase-manifest.v1\",";
        String height = "\"block_height\":42,";
        assertThat(text).startsWith("{" + schema + height);

        for (String other :
                List.of(text.replace(schema + height, height + schema), text.replace(":", ": "), text + "\n")) {
            assertThatThrownBy(() -> SignatureVerifier.verify(other.getBytes(StandardCharsets.UTF_8), signature))
                    .as(other)
                    .isInstanceOf(PayoutRuleException.class);
        }
    }

    @Test
    void aWeightAboveSixtyThreeBitsIsReadAndWrittenBackExactly() {
        WeightedEntitlement huge = new WeightedEntitlement(
                new PayoutIdentity("a", "1", "01".repeat(32)),
                U128.of(BigInteger.ONE.shiftLeft(100).add(BigInteger.ONE)));
        SignedCoinbaseManifest signed = SignedCoinbaseManifest.sign(
                CoinbaseBuilder.build(new CoinbaseBuildRequest(
                        42,
                        10,
                        List.of(huge, entitlement("b", "2", "02".repeat(32), 1)),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty())),
                SEED);
        byte[] written = CanonicalWriter.bytesOf(signed::write);

        SignedCoinbaseManifest read = SignedCoinbaseManifest.read(ExactReader.of(written));

        read.verifySignature();
        assertThat(CanonicalWriter.bytesOf(read::write)).isEqualTo(written);
        assertThat(new String(written, StandardCharsets.UTF_8))
                .contains("\"total_weight\":1267650600228229401496703205378,")
                .contains("\"weight\":1267650600228229401496703205377,\"amount_sats\":10}");
    }

    @ParameterizedTest
    @CsvSource({
        "1,5100,00000000",
        "16,6000,0f000000",
        "17,0111,10000000",
        "127,017f,7e000000",
        "128,028000,7f000000",
        "255,02ff00,fe000000",
        "256,020001,ff000000",
        "32767,02ff7f,fe7f0000",
        "32768,03008000,ff7f0000",
        "65536,03000001,ffff0000",
        "8388608,0400008000,ffff7f00",
        "4294967295,05ffffffff00,feffffff"
    })
    void theHeightIsPushedMinimallyAndLocksTheTransaction(long height, String scriptSig, String lockTime) {
        CoinbaseManifest manifest = CoinbaseBuilder.build(request(height, ""));

        assertThat(manifest.coinbaseScriptSigHex()).isEqualTo(scriptSig);
        assertThat(manifest.coinbaseTxHex()).endsWith(lockTime);
    }

    @Test
    void heightsAndSuffixesBeyondTheLimitsAreRefused() {
        assertThat(CoinbaseBuilder.build(request(1, "00".repeat(98))).coinbaseScriptSigHex())
                .isEqualTo("5100" + "00".repeat(98));
        assertThat(CoinbaseBuilder.build(request(127, "00".repeat(98))).coinbaseScriptSigHex())
                .hasSize(200);

        assertThatThrownBy(() -> CoinbaseBuilder.build(request(127, "00".repeat(99))))
                .hasMessage("coinbase scriptSig length 101 exceeds 100 bytes");
        assertThatThrownBy(() -> CoinbaseBuilder.build(request(0, ""))).hasMessage("coinbase height must fit in u32");
        assertThatThrownBy(() -> CoinbaseBuilder.build(request(4_294_967_296L, "")))
                .hasMessage("coinbase height must fit in u32");
    }

    @Test
    void aTransactionAboveTheBlockWeightIsRefused() {
        List<WeightedEntitlement> many = new ArrayList<>();
        for (int i = 0; i < 46_510; i++) {
            many.add(entitlement("m", "k", String.format("%064x", i), 1));
        }

        assertThatThrownBy(() -> CoinbaseBuilder.build(new CoinbaseBuildRequest(
                        1, 1_000_000_000, many, Optional.empty(), List.of(), Optional.empty(), Optional.empty())))
                .hasMessageMatching("coinbase transaction weight 200\\d{4} exceeds max block weight 2000000");
    }

    private static CoinbaseBuildRequest request(long height, String suffix) {
        return new CoinbaseBuildRequest(
                height,
                10,
                List.of(entitlement("a", "1", "01".repeat(32), 1)),
                Optional.empty(),
                List.of(),
                Optional.of(suffix),
                Optional.empty());
    }

    private static void expect(CoinbaseBuildRequest request, String sha256, String signature) {
        CoinbaseManifest manifest = CoinbaseBuilder.build(request);

        assertThat(Sha256.hex(manifest.canonicalBytes())).isEqualTo(sha256);
        SignedCoinbaseManifest signed = SignedCoinbaseManifest.sign(manifest, SEED);
        assertThat(signed.signature().signatureHex()).isEqualTo(signature);
        signed.verifySignature();
    }

    private static WeightedEntitlement entitlement(String id, String key, String program, long weight) {
        return new WeightedEntitlement(new PayoutIdentity(id, key, program), U128.ofUnsigned(weight));
    }
}

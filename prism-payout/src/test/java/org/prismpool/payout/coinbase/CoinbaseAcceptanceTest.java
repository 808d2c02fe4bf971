package org.prismpool.payout.coinbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.ManifestSignature;
import org.prismpool.payout.signing.SignatureVerifier;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WeightedEntitlement;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionOutput;

/** Rows of the block specification: what holds for any set of recipients. */
class CoinbaseAcceptanceTest {

    private static final int[] RECIPIENTS = {1, 2, 3, 17, 64, 127};

    private static PayoutIdentity recipient(int n) {
        return new PayoutIdentity("miner-" + n, String.format("%03d", n), String.format("%064x", 1000 + n));
    }

    private static List<WeightedEntitlement> recipients(int count) {
        Random random = new Random(count);
        List<WeightedEntitlement> all = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            all.add(new WeightedEntitlement(recipient(n), U128.ofUnsigned(1 + random.nextInt(1_000))));
        }
        return all;
    }

    private static CoinbaseManifest build(long value, List<WeightedEntitlement> entitlements) {
        return CoinbaseBuilder.build(new CoinbaseBuildRequest(
                42, value, entitlements, Optional.empty(), List.of(), Optional.of("2f505249534d2f"), Optional.empty()));
    }

    private static CoinbaseManifest pinned(int first, List<WeightedEntitlement> entitlements) {
        return CoinbaseBuilder.build(new CoinbaseBuildRequest(
                42,
                5_000_000_007L,
                entitlements,
                Optional.empty(),
                List.of(),
                Optional.of("2f505249534d2f"),
                Optional.of(recipient(first))));
    }

    private static String id(CoinbaseOutput output) {
        return output.identity().recipientId();
    }

    private static Map<String, Long> amounts(CoinbaseManifest manifest) {
        return manifest.outputs().stream()
                .collect(Collectors.toMap(CoinbaseAcceptanceTest::id, CoinbaseOutput::amountSats));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 17, 499, 50_000, 500_000_000, 21_000_000_000_000L})
    void theOutputsSumToTheValueExactlyAndAreAllP2mr(long value) {
        for (int count : RECIPIENTS) {
            Transaction coinbase =
                    Transaction.parseHex(build(value, recipients(count)).coinbaseTxHex());
            List<TransactionOutput> payouts = coinbase.outputs().subList(0, count);
            assertThat(coinbase.outputs()).hasSize(count + 1);
            assertThat(payouts.stream().mapToLong(TransactionOutput::valueSats).sum())
                    .as("%s sats to %s", value, count)
                    .isEqualTo(value);
            assertThat(payouts)
                    .allSatisfy(output -> assertThat(P2mrAddress.programOfScript(output.script()))
                            .isPresent());
        }
    }

    @Test
    void anyOrderOfTheEntitlementsGivesTheSameBytes() {
        List<WeightedEntitlement> entitlements = recipients(64);
        byte[] bytes = build(5_000_000_007L, entitlements).canonicalBytes();
        for (int seed = 0; seed < 20; seed++) {
            List<WeightedEntitlement> shuffled = new ArrayList<>(entitlements);
            Collections.shuffle(shuffled, new Random(seed));
            assertThat(build(5_000_000_007L, shuffled).canonicalBytes()).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 16})
    void aPinMovesOneOutputToTheFrontAndChangesNoAmount(int first) {
        List<WeightedEntitlement> entitlements = recipients(17);
        CoinbaseManifest plain = build(5_000_000_007L, entitlements);
        CoinbaseManifest pinned = pinned(first, entitlements);

        List<String> order =
                pinned.outputs().stream().map(CoinbaseAcceptanceTest::id).toList();
        List<String> rest = plain.outputs().stream()
                .map(CoinbaseAcceptanceTest::id)
                .filter(id -> !id.equals("miner-" + first))
                .toList();
        assertThat(order.get(0)).isEqualTo("miner-" + first);
        assertThat(order.subList(1, order.size())).isEqualTo(rest);
        assertThat(amounts(pinned)).isEqualTo(amounts(plain));
        if (first > 0) {
            assertThat(pinned.coinbaseTxid()).isNotEqualTo(plain.coinbaseTxid());
        }
    }

    @Test
    void oneChangedBitAnywhereBreaksTheSignature() {
        SigningSeed seed = SigningSeed.ofHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
        SignedCoinbaseManifest signed = SignedCoinbaseManifest.sign(build(500_000_000, recipients(3)), seed);
        ManifestSignature good = signed.signature();
        signed.verifySignature();
        for (int at = 0; at < good.signatureHex().length(); at++) {
            ManifestSignature bad =
                    new ManifestSignature(good.algorithm(), good.publicKeyHex(), flipped(good.signatureHex(), at));
            assertThatThrownBy(() -> new SignedCoinbaseManifest(signed.manifest(), bad).verifySignature())
                    .as("signature digit %s", at)
                    .isInstanceOf(PayoutRuleException.class);
        }
        CoinbaseManifest other = build(500_000_001, recipients(3));
        assertThatThrownBy(() -> new SignedCoinbaseManifest(other, good).verifySignature())
                .isInstanceOf(PayoutRuleException.class);
    }

    @Test
    void oneChangedByteAnywhereInTheManifestBreaksTheSignature() {
        SigningSeed seed = SigningSeed.ofHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
        byte[] message = build(500_000_000, recipients(1)).canonicalBytes();
        ManifestSignature signature = seed.signature(message);
        SignatureVerifier.verify(message, signature);
        for (int at = 0; at < message.length; at++) {
            message[at] ^= 1;
            assertThatThrownBy(() -> SignatureVerifier.verify(message, signature))
                    .as("byte %s", at)
                    .isInstanceOf(PayoutRuleException.class);
            message[at] ^= 1;
        }
    }

    @Test
    void outputsEncodedAheadGiveTheSameSignatureAndOnlyForTheirOwnManifest() {
        SigningSeed seed = SigningSeed.ofHex("42".repeat(SigningSeed.SIZE));
        CoinbaseBuildRequest request = new CoinbaseBuildRequest(
                42, 500_000_000, recipients(127), Optional.empty(), List.of(), Optional.empty(), Optional.empty());
        Optional<String> nonce = Optional.of("ab".repeat(32));
        PreparedCoinbase prepared = PreparedCoinbase.of(request);
        CoinbaseManifest manifest = prepared.manifest(nonce);

        SignedCoinbaseManifest signed = prepared.withEncodedOutputs().sign(manifest, seed);

        assertThat(signed).isEqualTo(SignedCoinbaseManifest.sign(manifest, seed));
        assertThat(signed).isEqualTo(prepared.sign(manifest, seed));
        signed.verifySignature();
        CoinbaseManifest other = build(500_000_000, recipients(3));
        assertThatThrownBy(() -> prepared.withEncodedOutputs().sign(other, seed))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String flipped(String hex, int at) {
        Function<Character, Character> other = digit -> Character.forDigit(Character.digit(digit, 16) ^ 1, 16);
        return hex.substring(0, at) + other.apply(hex.charAt(at)) + hex.substring(at + 1);
    }
}

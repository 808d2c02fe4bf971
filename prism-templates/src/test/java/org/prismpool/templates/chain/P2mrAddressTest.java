package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class P2mrAddressTest {

    private static final String COUNTING = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    private static final String AA = "aa".repeat(32);
    private static final String COUNTING_REGTEST = "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s8kqqny";

    @ParameterizedTest
    @CsvSource({
        "MAINNET, " + COUNTING + ", qb1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sjq57mw",
        "TESTNET4, " + COUNTING + ", tq1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0syfr760",
        "REGTEST, " + COUNTING + ", " + COUNTING_REGTEST,
        "SIGNET, fc005684c23ef339dda1196692c1e952e4b0690681767adb4647ef6484aa0285,"
                + " tq1zlsq9dpxz8mennhdpr9nf9s0f2tjtq6gxs9m84k6xglhkfp92q2zszzu4m3",
        "REGTEST, d398776a097bf3e54b63592ed878a4d9d6ee31858beb8a931fb9a19d422e4fda,"
                + " qbrt1z6wv8w6sf00e72jmrtyhds79ym8twuvv9304c4yclhxse6s3wfldqdw7vp5"
    })
    void programsAndAddressesTranslateBothWays(Network network, String program, String text) {
        assertThat(P2mrAddress.ofProgramHex(network, program).text()).isEqualTo(text);
        P2mrAddress decoded = P2mrAddress.decode(network, text).orElseThrow();
        assertThat(decoded.programHex()).isEqualTo(program);
        assertThat(decoded.scriptHex()).isEqualTo("5220" + program);
    }

    @Test
    void aRepeatedByteTranslatesBothWays() {
        assertThat(P2mrAddress.ofProgramHex(Network.MAINNET, AA).text())
                .isEqualTo("qb1z424242424242424242424242424242424242424242424242424qy0qkau");
        assertThat(P2mrAddress.ofProgramHex(Network.TESTNET4, AA).text())
                .isEqualTo("tq1z424242424242424242424242424242424242424242424242424qjxhkua");
        assertThat(P2mrAddress.ofProgramHex(Network.REGTEST, AA).text())
                .isEqualTo("qbrt1z424242424242424242424242424242424242424242424242424q3e5g4k");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sj2svkx | Version 1+ witness address must use Bech32m checksum",
                "qb1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sjq57mw | Invalid or unsupported Segwit (Bech32) or Base58 encoding.",
                "bc1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sqfj5af | Invalid or unsupported Segwit (Bech32) or Base58 encoding.",
                "qbrt1pqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s0te0a0 | Address type is not supported on this chain; use a p2mr address.",
                "qbrt1rqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0scas9w6 | Address type is not supported on this chain; use a p2mr address.",
                "qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnh32x7f | Address type is not supported on this chain; use a p2mr address.",
                "qbrt1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysn5caupa | Address type is not supported on this chain; use a p2mr address.",
                "Qbrt1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0s8kqqny | Invalid or unsupported Segwit (Bech32) or Base58 encoding."
            })
    void whatCannotBePaidIsRefusedInTheNodesWords(String text, String refusal) {
        AddressVerdict verdict = P2mrAddress.check(Network.REGTEST, text);
        assertThat(verdict.isValid()).isFalse();
        assertThat(verdict.refusal()).contains(refusal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1", "qbrt1", "qbrt1z", " " + COUNTING_REGTEST, COUNTING_REGTEST + "q", "qbrt1b", "ñ1zqqq"})
    void brokenTextIsRefused(String text) {
        assertThat(P2mrAddress.decode(Network.REGTEST, text)).isEmpty();
    }

    @Test
    void upperCaseIsTheSameAddress() {
        P2mrAddress lower =
                P2mrAddress.decode(Network.REGTEST, COUNTING_REGTEST).orElseThrow();
        P2mrAddress upper = P2mrAddress.decode(Network.REGTEST, COUNTING_REGTEST.toUpperCase(Locale.ROOT))
                .orElseThrow();
        assertThat(upper).isEqualTo(lower);
        assertThat(upper.text()).isEqualTo(COUNTING_REGTEST);
    }

    @Test
    void oneChangedCharacterIsAlwaysNoticed() {
        for (int i = 0; i < COUNTING_REGTEST.length(); i++) {
            char other = COUNTING_REGTEST.charAt(i) == 'q' ? 'p' : 'q';
            String damaged = COUNTING_REGTEST.substring(0, i) + other + COUNTING_REGTEST.substring(i + 1);
            assertThat(P2mrAddress.decode(Network.REGTEST, damaged)).as(damaged).isEmpty();
        }
    }

    @Test
    void theProgramOfAnOutputScriptIsFound() {
        byte[] script = Hex.decode("5220" + COUNTING);
        assertThat(P2mrAddress.programOfScript(script).map(Hex::encode)).contains(COUNTING);
        assertThat(P2mrAddress.programOfScript(Hex.decode("5120" + COUNTING))).isEmpty();
        assertThat(P2mrAddress.programOfScript(new byte[0])).isEmpty();
    }
}

package org.prismpool.app.demo.miner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.templates.chain.Hash256;

class MinerPartsTest {

    /** Spec 02 §5.6. */
    private static final String NOTIFY_PARAMS =
            "[\"prism-7\",\"1c1d1e1f18191a1b14151617101112130c0d0e0f08090a0b0405060700010203\","
                    + "\"02000000010000000000000000000000000000000000000000000000000000000000000000ffffffff160290002f"
                    + "505249534d2f\",\"feffffff0200f2052a01000000225220aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                    + "aaaaaaaaaaaaaaaaaaaaaa0000000000000000266a24aa21a9ed99cba7078d342977081212052c308215101d65"
                    + "a56682b78bb35cbd42cd3e11058f000000\",[\"deff02385ec97068e15c0cdc8b35bc4418e00b723705876997"
                    + "87648979aa6b56\",\"7bd6fd69f387fb2833588868b6c388cc67d0c093414ebf466c07f83ada4b82ef\"],"
                    + "\"20000000\",\"207fffff\",\"6553f105\",true]";

    @Test
    void theHeaderOfTheWorkedExampleIsAssembledByteForByte() throws Exception {
        NotifiedJob job = NotifiedJob.parse(new ObjectMapper().readTree(NOTIFY_PARAMS));
        DoubleSha256 hasher = new DoubleSha256();
        HeaderAssembly assembly = new HeaderAssembly(job, HexFormat.of().parseHex("0000002a"), 0x1fffe000);

        byte[] header = assembly.header(HexFormat.of().parseHex("0102030405060708"), 0x00a54000, hasher);
        HeaderAssembly.putLittleEndian(header, HeaderAssembly.NONCE_OFFSET, 0x1a2b3c51);

        assertThat(HexFormat.of().formatHex(header))
                .isEqualTo("0040a5201f1e1d1c1b1a191817161514131211100f0e0d0c0b0a09080706050403020100a0ee5bba60070eb3b1"
                        + "27b393d29c345809eaf9fa27b05bc19ae1c025553cb5cb05f15365ffff7f20513c2b1a");
        byte[] hash = new byte[32];
        hasher.hash(header, hash);
        assertThat(Hash256.ofInternal(hash).displayHex())
                .isEqualTo("02e47af7d623b906f662243ee5f4b18934ad8b72430e85b467d6cab2ab9843dd");
        assertThat(HashThreshold.ofCompact(0x207fffff).isMetBy(hash)).isTrue();
        HeaderAssembly.putLittleEndian(header, HeaderAssembly.NONCE_OFFSET, 0x1a2b3c50);
        hasher.hash(header, hash);
        assertThat(HashThreshold.ofCompact(0x207fffff).isMetBy(hash)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0.000000001, 3b9a8e6536000000000000000000000000000000000000000000000000000000",
        "0.001, 000003e7fc180000000000000000000000000000000000000000000000000000",
        "0.5, 00000001fffe0000000000000000000000000000000000000000000000000000",
        "1, 00000000ffff0000000000000000000000000000000000000000000000000000",
        "3, 0000000055550000000000000000000000000000000000000000000000000000",
        "500000, 000000000000218dcdb37c99ae924f227d028a1dfb9389b52007dd441355475a",
        "4294967296, 0000000000000000ffff00000000000000000000000000000000000000000000"
    })
    void difficultiesBecomeTheTargetsOfTheTable(BigDecimal difficulty, String target) {
        assertThat(String.format("%064x", HashThreshold.ofDifficulty(difficulty).value()))
                .isEqualTo(target);
    }

    @Test
    void aHashEqualToTheTargetPassesAndOneAboveDoesNot() {
        HashThreshold one = HashThreshold.ofDifficulty(BigDecimal.ONE);
        byte[] equal = new byte[32];
        equal[26] = (byte) 0xff;
        equal[27] = (byte) 0xff;
        byte[] above = equal.clone();
        above[0] = 1;

        assertThat(one.isMetBy(equal)).isTrue();
        assertThat(one.isMetBy(above)).isFalse();
    }

    @Test
    void absurdDifficultiesAreNotUsed() {
        assertThat(HashThreshold.isUsable(BigDecimal.ZERO)).isFalse();
        assertThat(HashThreshold.isUsable(new BigDecimal("-1"))).isFalse();
        assertThat(HashThreshold.isUsable(new BigDecimal("1e1000000"))).isFalse();
        assertThat(HashThreshold.isUsable(new BigDecimal("4.6565423739069247e-10")))
                .isTrue();
    }

    @Test
    void versionBitsStayInsideTheMask() {
        assertThat(VersionBits.deposit(0, 0x1fffe000)).isZero();
        assertThat(VersionBits.deposit(1, 0x1fffe000)).isEqualTo(0x00002000);
        assertThat(VersionBits.deposit(0xffff, 0x1fffe000)).isEqualTo(0x1fffe000);
        assertThat(VersionBits.deposit(-1, 0x0000e000)).isEqualTo(0x0000e000);
    }

    @Test
    void linesEndWithALineFeedAndLoseTheirCarriageReturn() throws IOException {
        LineReader reader = new LineReader(new ByteArrayInputStream(
                "one\r\ntwo\n\nlong".concat("x".repeat(20_000)).concat("\nrest").getBytes(StandardCharsets.UTF_8)));

        assertThat(reader.readLine()).isEqualTo("one");
        assertThat(reader.readLine()).isEqualTo("two");
        assertThat(reader.readLine()).isEmpty();
        assertThat(reader.readLine()).hasSize(20_004);
        assertThatThrownBy(reader::readLine).isInstanceOf(EOFException.class);
    }

    @Test
    void reconnectDelaysDoubleUpToTheBoundAndStartAgainAfterAGoodConnection() {
        ReconnectBackoff backoff = new ReconnectBackoff(Duration.ofMillis(200), Duration.ofSeconds(1));

        assertThat(backoff.nextDelay()).isEqualTo(Duration.ofMillis(200));
        assertThat(backoff.nextDelay()).isEqualTo(Duration.ofMillis(400));
        assertThat(backoff.nextDelay()).isEqualTo(Duration.ofMillis(800));
        assertThat(backoff.nextDelay()).isEqualTo(Duration.ofSeconds(1));
        backoff.connectionWorked();
        assertThat(backoff.nextDelay()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void theConfigurationShowsNoPassword() {
        CpuMinerConfig config = CpuMinerConfig.forPool("127.0.0.1", 3333, "a.b").withPassword("hidden");

        assertThat(config.toString()).doesNotContain("hidden");
        assertThatThrownBy(() -> config.withThreads(0)).isInstanceOf(IllegalArgumentException.class);
    }
}

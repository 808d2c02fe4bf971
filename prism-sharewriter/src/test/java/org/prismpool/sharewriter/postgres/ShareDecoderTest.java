package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;

class ShareDecoderTest {

    private static final String PROGRAM = "ab".repeat(32);

    private final ShareDecoder decoder = new ShareDecoder();

    private static String text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return String.format("%08x", bytes.length) + HexFormat.of().formatHex(bytes);
    }

    /** A row in the server's form; the difficulties are 12 345 and 1 500 000 000, the times 1000 and 1002 ms of 2000. */
    private static byte[] row(String orderKey, String policy) {
        return HexFormat.of()
                .parseHex("ffff" + "000d"
                        + "00000008" + "00000001fffffffe"
                        + text("m\u00fcller.rig:00ff")
                        + text("m\u00fcller")
                        + orderKey
                        + "00000020" + PROGRAM
                        + "0000000c" + "0002000100000000" + "00010929"
                        + "0000000c" + "0002000200000000" + "000f0000"
                        + "00000008" + "0000000000000007"
                        + text("job")
                        + "00000008" + "00000000000f4240"
                        + "00000008" + "00000000000f4a10"
                        + "00000008" + "00000000ffffffff"
                        + policy);
    }

    private static PendingShare share(String orderKey, CreditPolicy policy) {
        return new PendingShare(
                "m\u00fcller.rig:00ff",
                "m\u00fcller",
                orderKey,
                P2mrProgram.ofHex(PROGRAM),
                BigInteger.valueOf(12_345),
                BigInteger.valueOf(1_500_000_000),
                7,
                "job",
                946_684_801_000L,
                946_684_801_002L,
                4_294_967_295L,
                policy);
    }

    @Test
    void anOrderKeyThatIsTheAddressIsNotSent() {
        assertThat(decoder.decode(row("ffffffff", "ffffffff"), 2))
                .isEqualTo(new StoredShare(8_589_934_590L, share("m\u00fcller", CreditPolicy.CURRENT)));
    }

    @Test
    void anotherOrderKeyAndAPolicyAreRead() {
        assertThat(decoder.decode(row(text("key"), text("stale-grace")), 2))
                .isEqualTo(new StoredShare(8_589_934_590L, share("key", CreditPolicy.STALE_GRACE)));
    }

    @Test
    void rowsShareWhatTheyHaveInCommon() {
        PendingShare first = decoder.decode(row("ffffffff", "ffffffff"), 2).share();
        PendingShare second = decoder.decode(row("ffffffff", "ffffffff"), 2).share();

        assertThat(second.minerId()).isSameAs(first.minerId());
        assertThat(second.program()).isSameAs(first.program());
        assertThat(second.shareDifficulty()).isSameAs(first.shareDifficulty());
        assertThat(second.jobId()).isSameAs(first.jobId());
    }

    @Test
    void theEndOfTheStreamIsNoRow() {
        byte[] row = row("ffffffff", "ffffffff");

        assertThat(ShareDecoder.startsAt(row, 2)).isTrue();
        assertThat(ShareDecoder.startsAt(row, 0)).as("the count -1").isFalse();
        assertThat(ShareDecoder.startsAt(row, row.length)).as("nothing left").isFalse();
        assertThat(ShareDecoder.startsAt(new byte[] {-1, -1}, 0)).isFalse();
    }

    @Test
    void anotherNumberOfColumnsIsRefused() {
        assertThatThrownBy(() -> decoder.decode(new byte[] {0, 12, 0, 0}, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a share has 13 columns");
    }
}

package org.prismpool.app.composition.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.MissingShares;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.memory.MemoryLedger;

class LedgerWindowsTest {

    @Test
    void givesAnAuditFileTheSharesThatItLacks() {
        MemoryLedger ledger = new MemoryLedger(() -> 1_700_000_000_000L);
        ledger.shares()
                .append(Stream.of(share(1), share(2), share(3), share(4))
                        .map(AppendEntry::share)
                        .toList());
        MissingShares missing =
                LedgerWindows.missing(ledger.windows(), Duration.ofSeconds(10), MonotonicClock.system());

        List<WindowShare> found = missing.load(2, 3);

        assertThat(found).extracting(WindowShare::shareSeq).containsExactly(2L, 3L);
        WindowShare second = found.get(0);
        assertThat(second.shareId()).isEqualTo("share-2");
        assertThat(second.identity().programHex()).isEqualTo("02".repeat(32));
        assertThat(second.shareDifficulty()).isEqualTo(U128.of(BigInteger.valueOf(200)));
        assertThat(second.acceptedAtMs()).isEqualTo(1_700_000_000_012L);
        assertThat(missing.load(5, 9)).isEmpty();
    }

    private static PendingShare share(int number) {
        return new PendingShare(
                "share-" + number,
                "miner",
                "key",
                P2mrProgram.ofHex(String.format("%02x", number).repeat(32)),
                BigInteger.valueOf(100L * number),
                BigInteger.valueOf(1000),
                10,
                "job",
                1_700_000_000_000L,
                1_700_000_000_010L + number,
                1_700_000_000L,
                CreditPolicy.CURRENT);
    }
}

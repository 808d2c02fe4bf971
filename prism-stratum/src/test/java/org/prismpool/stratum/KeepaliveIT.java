package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.prismpool.stratum.testing.StratumTestClient;

/**
 * Dead peers are found by TCP itself: the kernel's own table shows a keepalive timer of a minute on each accepted socket
 * (spec 02 §1.6; the kernel's default would be two hours).
 */
@EnabledOnOs(OS.LINUX)
class KeepaliveIT {

    private static final int KEEPALIVE_TIMER = 2;
    private static final long HUNDREDTHS_OF_A_MINUTE = 6000;

    @Test
    void anAcceptedSocketIsProbedAfterAMinuteOfSilence() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient miner = pool.connect()) {
            miner.login(WorkedExample.USER, "x");
            int client = miner.socket().getLocalPort();
            await("the keepalive timer")
                    .until(() -> timer(pool.port(), client)
                            .filter(line -> line.startsWith("0" + KEEPALIVE_TIMER))
                            .isPresent());

            long left = Long.parseLong(timer(pool.port(), client).orElseThrow().substring(3), 16);
            assertThat(left).isPositive().isLessThanOrEqualTo(HUNDREDTHS_OF_A_MINUTE);
        }
    }

    /** The timer column, kind and hundredths of a second in hex, of the server's end of a connection. */
    private static Optional<String> timer(int server, int client) throws IOException {
        String ends = String.format(":%04X ", server) + "[0-9A-F]+" + String.format(":%04X .*", client);
        for (String table : new String[] {"tcp", "tcp6"}) {
            for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
                String[] columns = line.strip().split("\\s+");
                if (columns.length > 5 && (columns[1] + " " + columns[2] + " ").matches("[0-9A-F]+" + ends)) {
                    return Optional.of(columns[5]);
                }
            }
        }
        return Optional.empty();
    }
}

package org.prismpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.app.composition.PoolView;
import org.prismpool.templates.chain.Network;

class LiveScreenTest {

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final LiveScreen screen = new LiveScreen(new PrintStream(terminal, true, StandardCharsets.UTF_8));

    private String written() {
        String text = terminal.toString(StandardCharsets.UTF_8).replace("\u001b", "ESC");
        terminal.reset();
        return text;
    }

    @Test
    void aSecondBlockReplacesTheFirst() {
        screen.paint(List.of("one", "two"));
        assertThat(written()).isEqualTo("one\ntwo\n");

        screen.paint(List.of("three"));
        assertThat(written()).isEqualTo("ESC[2A\rESC[Jthree\n");
    }

    @Test
    void aLogLinePassesAboveTheBlockAndTheBlockComesBack() throws Exception {
        screen.paint(List.of("block"));
        written();

        screen.lines().write("a log line\n".getBytes(StandardCharsets.UTF_8));
        screen.paint(List.of("block"));

        assertThat(written()).isEqualTo("ESC[1A\rESC[Ja log line\nblock\n");
    }

    @Test
    void nothingIsLeftOfTheBlockAtTheEnd() {
        screen.paint(List.of("block"));
        written();

        screen.close();
        screen.close();

        assertThat(written()).isEqualTo("ESC[1A\rESC[J");
    }

    private static PoolView view(Optional<String> tip, boolean ready, Map<String, Long> refused) {
        return new PoolView(Network.REGTEST, tip, 124, ready, 212, 210, 9_812_331, 900, refused, 37, 12.44, 1);
    }

    @Test
    void theNumbersOfThePoolFillThreeLines() {
        assertThat(PoolScreen.lines(
                        view(
                                Optional.of("00".repeat(28) + "a1b2c3d4"),
                                true,
                                Map.of("unknown-job", 75L, "stale-job", 25L)),
                        Duration.ofHours(76)))
                .containsExactly(
                        "PRISM  regtest  h=123  tip ..a1b2c3d4   READY   up 3d04h",
                        "conn 212   auth 210   miners 37   blocks pending 1",
                        "shares/s 12.4   accepted 9,812,331 (900 here)   rejects 10.00%   top unknown-job 7.50%");
    }

    @Test
    void aPoolThatStartsHasNoWorkAndOneWithFewMinersCollects() {
        assertThat(PoolScreen.lines(view(Optional.empty(), false, Map.of()), Duration.ofSeconds(61)))
                .contains("PRISM  regtest  h=123  tip -   NO WORK   up 1m01s")
                .last()
                .asString()
                .endsWith("rejects 0%");
        assertThat(PoolScreen.lines(view(Optional.of("00".repeat(32)), false, Map.of()), Duration.ofMinutes(61)))
                .first()
                .asString()
                .endsWith("COLLECTING   up 1h01m");
    }
}

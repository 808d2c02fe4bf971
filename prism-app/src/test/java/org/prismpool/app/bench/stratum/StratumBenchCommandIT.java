package org.prismpool.app.bench.stratum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.prismpool.app.command.PrismCommand;
import picocli.CommandLine;

class StratumBenchCommandIT {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int prism(String... arguments) {
        CommandLine line = PrismCommand.commandLine(Map.of());
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void theQuickRunServesEveryConnectionAndReportsItsFigures() {
        assertThat(prism("bench", "stratum", "--quick")).isZero();

        assertThat(out.toString())
                .containsPattern("storm served / failed +200 / 0")
                .containsPattern("connections held +205")
                .contains(
                        "submits per second",
                        "submit p50 / p99",
                        "heap per idle connection",
                        "fan-out, last healthy",
                        "fan-out, processor time");
    }

    @Test
    void moreConnectionsThanTheProcessMayOpenAreRefusedWithTheLimit() {
        assertThat(prism("bench", "stratum", "--quick", "--connections", "1000000000"))
                .isEqualTo(1);

        assertThat(err.toString()).contains("2000000210 open files", "ulimit -n");
    }

    @Test
    void sizesThatMakeNoSenseAreUsageErrors() {
        assertThat(prism("bench", "stratum", "--connections", "0")).isEqualTo(2);
    }
}

package org.prismpool.lifecycle.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProcessSignalsTest {

    @Test
    void aThreadDumpShowsEveryThreadWithItsStack() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        ProcessSignals.dumpThreads(new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"" + Thread.currentThread().getName() + "\" RUNNABLE")
                .contains(ProcessSignalsTest.class.getName() + ".aThreadDumpShowsEveryThreadWithItsStack(");
    }
}

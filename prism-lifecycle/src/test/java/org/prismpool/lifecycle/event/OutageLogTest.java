package org.prismpool.lifecycle.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.RecordingLogger;
import org.prismpool.lifecycle.testing.RecordingLogger.Line;
import org.slf4j.event.Level;

class OutageLogTest {

    private final RecordingLogger lines = new RecordingLogger();
    private final OutageLog log = new OutageLog(lines, "owner");

    private void failed(String owner, Throwable cause) {
        log.failed(Level.WARN, owner, "unreadable", cause);
    }

    @Test
    void anOutageIsOneLineWithoutAStackTraceAndItsEndAnother() {
        for (int i = 0; i < 50; i++) {
            failed("node", new IOException("refused"));
        }
        log.answered("node", "readable again");
        log.answered("node", "readable again");

        assertThat(lines.lines())
                .containsExactly(
                        new Line(Level.WARN, "owner=node error=java.io.IOException: refused unreadable", false),
                        new Line(Level.INFO, "owner=node failed_attempts=50 readable again", false));
    }

    @Test
    void whatNeverFailedIsNotTold() {
        log.answered("node", "readable again");

        assertThat(lines.lines()).isEmpty();
    }

    @Test
    void anotherKindOfFailureIsTold() {
        failed("node", new IOException("refused"));
        failed("node", new SocketTimeoutException("late"));
        failed("node", new SocketTimeoutException("late"));

        assertThat(lines.lines()).hasSize(2);
        assertThat(lines.lines().get(1).text()).contains("SocketTimeoutException: late");
    }

    @Test
    void everyOwnerHasItsOwnOutage() {
        failed("node", new IOException("refused"));
        failed("ledger", new IOException("refused"));
        log.answered("ledger", "readable again");
        failed("node", new IOException("refused"));

        assertThat(lines.lines()).extracting(Line::level).containsExactly(Level.WARN, Level.WARN, Level.INFO);
    }

    @Test
    void aFaultOfTheProgramKeepsItsStackTrace() {
        failed("node", new NullPointerException("bug"));
        failed("ledger", new AssertionError("bug"));

        assertThat(lines.lines()).hasSize(2).allMatch(Line::withStackTrace);
    }
}

package org.prismpool.app.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.lifecycle.event.LifecycleEvent;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

class LogLinesTest {

    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("org.prismpool.app.Some");

    LogLinesTest() {
        context.setMDCAdapter(new LogbackMDCAdapter());
    }

    private LoggingEvent line(String message, Object... arguments) {
        LoggingEvent line = new LoggingEvent("caller", logger, Level.WARN, message, null, arguments);
        line.setTimeStamp(1_700_000_000_123L);
        line.setThreadName("prism-x");
        return line;
    }

    private static JsonNode encoded(ILoggingEvent line) throws IOException {
        String text = new String(new JsonLines().encode(line), StandardCharsets.UTF_8);
        assertThat(text).endsWith("}\n").doesNotContain("\n{");
        return new ObjectMapper().readTree(text);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void aLineIsOneObjectWithItsFieldsBesideTheFixedOnes() throws Exception {
        LoggingEvent line = line("tip \"changed\"\nto");
        line.addKeyValuePair(new KeyValuePair("height", 7L));
        line.addKeyValuePair(new KeyValuePair("published", true));
        line.addKeyValuePair(new KeyValuePair("level", "a field may have any name"));

        JsonNode json = encoded(line);

        assertThat(names(json))
                .containsExactly("ts", "level", "logger", "thread", "msg", "height", "published", "_level");
        assertThat(json.get("ts").asText()).isEqualTo("2023-11-14T22:13:20.123Z");
        assertThat(json.get("level").asText()).isEqualTo("WARN");
        assertThat(json.get("msg").asText()).isEqualTo("tip \"changed\"\nto");
        assertThat(json.get("height").isIntegralNumber()).isTrue();
        assertThat(json.get("published").isBoolean()).isTrue();
    }

    @Test
    void aLifecycleEventKeepsItsNameAndFields() throws Exception {
        LifecycleEvent event =
                LifecycleEvent.of("writer_quiescence", Map.of("outcome", "success", "blockers", Map.of()));

        JsonNode json = encoded(line("prism coordinator: {}", event));

        assertThat(json.get("event").asText()).isEqualTo("writer_quiescence");
        assertThat(json.get("outcome").asText()).isEqualTo("success");
        assertThat(json.get("blockers").isObject()).isTrue();
        assertThat(line("prism coordinator: {}", event).getFormattedMessage())
                .isEqualTo(
                        "prism coordinator: {\"blockers\":{},\"event\":\"writer_quiescence\",\"outcome\":\"success\"}");
    }

    @Test
    void aStackIsAFieldOfItsLine() throws Exception {
        LoggingEvent line = new LoggingEvent(
                "caller", logger, Level.ERROR, "broken", new IllegalStateException("why"), new Object[0]);

        assertThat(encoded(line).get("stack").asText()).contains("IllegalStateException: why", "LogLinesTest");
    }

    @Test
    void aFullQueueDropsAndCountsAndNeverWaits() {
        CountDownLatch stuck = new CountDownLatch(1);
        List<ILoggingEvent> written = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> slow = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent line) {
                try {
                    stuck.await();
                    written.add(line);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        slow.setContext(context);
        slow.start();
        DroppingQueue queue = new DroppingQueue(4);
        queue.setContext(context);
        queue.addAppender(slow);
        queue.start();

        for (int i = 0; i < 100; i++) {
            queue.doAppend(line("line"));
        }

        assertThat(queue.dropped()).isBetween(91L, 96L); // 4 wait, 0 to 5 are on their way to the output
        stuck.countDown();
        await("the rest is written").until(() -> written.size() + queue.dropped() == 100);
        queue.stop();
    }

    /** A line whose preparation waits: where a thread stands between looking for a place and taking it. */
    private final class SlowToPrepare extends LoggingEvent {

        private final CountDownLatch preparing = new CountDownLatch(1);
        private final CountDownLatch prepared = new CountDownLatch(1);

        private SlowToPrepare() {
            super("caller", logger, Level.WARN, "slow", null, new Object[0]);
        }

        @Override
        public void prepareForDeferredProcessing() {
            preparing.countDown();
            try {
                prepared.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            super.prepareForDeferredProcessing();
        }
    }

    @Test
    void aLineThatLosesTheLastPlaceToAnotherIsCounted() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch writing = new CountDownLatch(1);
        AppenderBase<ILoggingEvent> held = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent line) {
                writing.countDown();
                try {
                    stuck.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        held.setContext(context);
        held.start();
        DroppingQueue queue = new DroppingQueue(1);
        queue.setContext(context);
        queue.addAppender(held);
        queue.start();
        queue.doAppend(line("on its way to the output"));
        assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();

        SlowToPrepare slow = new SlowToPrepare();
        Thread loser = new Thread(() -> queue.doAppend(slow), "test-loser");
        loser.start();
        assertThat(slow.preparing.await(20, TimeUnit.SECONDS)).isTrue();
        queue.doAppend(line("takes the last place"));
        slow.prepared.countDown();
        loser.join(20_000);

        assertThat(queue.dropped()).isEqualTo(1);
        stuck.countDown();
        queue.stop();
    }

    @Test
    void aBrokenConnectionOfThePoolLeavesNoStackTrace(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("prism.log");
        try {
            LogOutput.toFile(file);
            org.slf4j.Logger connections = LoggerFactory.getLogger("com.zaxxer.hikari.pool.ProxyConnection");
            connections.atWarn().setCause(new SQLException("gone")).log("marked as broken");
            LoggerFactory.getLogger("com.zaxxer.hikari.pool.HikariPool").warn("thread starvation");
            LogOutput.flush();
        } finally {
            LogOutput.quiet();
        }

        assertThat(Files.readString(file)).contains("thread starvation").doesNotContain("marked as broken", "gone");
    }
}

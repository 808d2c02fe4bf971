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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.event.LifecycleEvent;
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
}

package org.prismpool.app.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.prismpool.lifecycle.event.LifecycleEvent;
import org.slf4j.event.KeyValuePair;

/**
 * One JSON object a line: {@code ts}, {@code level}, {@code logger}, {@code thread}, {@code event}, {@code msg}, then the
 * line's own fields, then {@code stack}. A field that has one of these names gets an underscore in front. Source: spec 08 §8.6.
 */
final class JsonLines extends EncoderBase<ILoggingEvent> {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] NOTHING = {};
    private static final List<String> OWN = List.of("ts", "level", "logger", "thread", "event", "msg", "stack");

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent line) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(
                "ts", Instant.ofEpochSecond(0).plusMillis(line.getTimeStamp()).toString());
        members.put("level", line.getLevel().toString());
        members.put("logger", line.getLoggerName());
        members.put("thread", line.getThreadName());
        Object[] arguments = line.getArgumentArray();
        if (arguments != null && arguments.length > 0 && arguments[0] instanceof LifecycleEvent event) {
            members.put("event", event.name());
            members.put("msg", event.name());
            event.fields().forEach((name, value) -> members.put(free(name), value));
        } else {
            members.put("msg", String.valueOf(line.getFormattedMessage()));
        }
        for (KeyValuePair pair : pairs(line)) {
            members.put(free(pair.key), shown(pair.value));
        }
        if (line.getThrowableProxy() != null) {
            members.put("stack", ThrowableProxyUtil.asString(line.getThrowableProxy()));
        }
        try {
            return (JSON.writeValueAsString(members) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException broken) {
            throw new IllegalStateException("numbers, booleans and texts are always JSON", broken);
        }
    }

    private static List<KeyValuePair> pairs(ILoggingEvent line) {
        return line.getKeyValuePairs() == null ? List.of() : new ArrayList<>(line.getKeyValuePairs());
    }

    private static String free(String name) {
        return OWN.contains(name) ? "_" + name : name;
    }

    private static Object shown(Object value) {
        return value instanceof Number || value instanceof Boolean ? value : String.valueOf(value);
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}

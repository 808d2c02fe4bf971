package org.prismpool.lifecycle.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Keeps what is logged at INFO and above; key-value pairs stand before the message. */
public final class RecordingLogger extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1L;

    /** One line. */
    public record Line(Level level, String text, boolean withStackTrace) {}

    private final transient List<Line> lines = new CopyOnWriteArrayList<>();

    public List<Line> lines() {
        return List.copyOf(lines);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String message,
            Object @Nullable [] arguments,
            @Nullable Throwable cause) {
        String text = MessageFormatter.basicArrayFormat(message, arguments);
        lines.add(new Line(level, text, cause != null));
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isDebugEnabled() {
        return false;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}

package org.prismpool.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.io.OutputStream;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/**
 * Sends log lines to one place through a bounded queue that drops rather than blocks: a slow console must never hold a
 * watchdog or a share. Source: spec 08 §8.6.
 */
public final class LogOutput {

    /** How a line looks. */
    public enum Format {
        /** One line of text with key-value pairs. */
        TEXT,
        /** One JSON object. */
        JSON
    }

    private static final int QUEUE = 8192;
    private static final String QUEUE_NAME = "prism-log-queue";
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} - %msg %kvp%n%ex";

    private LogOutput() {}

    /** Shows warnings and errors only, on standard error; the state before a command chooses. */
    public static void quiet() {
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setTarget("System.err");
        install(console, Format.TEXT, Level.ERROR);
    }

    /**
     * Logs to standard output.
     *
     * @param format how a line looks
     */
    public static void toConsole(Format format) {
        install(new ConsoleAppender<>(), format, Level.INFO);
    }

    /**
     * Logs to a stream.
     *
     * @param stream gets whole lines; never closed
     * @param format how a line looks
     */
    public static void toStream(OutputStream stream, Format format) {
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        install(appender, format, Level.INFO, () -> appender.setOutputStream(stream));
    }

    /**
     * Logs to a file, for commands whose console shows something else.
     *
     * @param file created or appended to
     */
    public static void toFile(Path file) {
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setFile(file.toString());
        install(appender, Format.TEXT, Level.INFO);
    }

    private static void install(OutputStreamAppender<ILoggingEvent> target, Format format, Level level) {
        install(target, format, level, () -> {});
    }

    /** An encoder writes its head when the stream is set, so that comes after the encoder is there. */
    private static void install(
            OutputStreamAppender<ILoggingEvent> target, Format format, Level level, Runnable beforeStart) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        Encoder<ILoggingEvent> encoder = format == Format.JSON ? new JsonLines() : text();
        encoder.setContext(context);
        encoder.start();
        target.setContext(context);
        target.setEncoder(encoder);
        beforeStart.run();
        target.start();
        DroppingQueue queue = new DroppingQueue(QUEUE);
        queue.setName(QUEUE_NAME);
        queue.setContext(context);
        queue.addAppender(target);
        queue.start();
        context.getLogger("ROOT").addAppender(queue);
        context.getLogger("ROOT").setLevel(level);
        for (String noisy :
                new String[] {"org.jooq", "com.zaxxer", "org.flywaydb", "org.eclipse.jetty", "io.netty", "io.zonky"}) {
            context.getLogger(noisy).setLevel(Level.WARN);
        }
        // Each broken connection with its stack trace: the failure of the statement on it reaches us as an exception
        // anyway.
        context.getLogger("com.zaxxer.hikari.pool.ProxyConnection").setLevel(Level.ERROR);
        // The driver and the schema tool report through java.util.logging, which is not bridged; errors reach us as
        // exceptions.
    }

    private static PatternLayoutEncoder text() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setPattern(PATTERN);
        return encoder;
    }

    /**
     * Returns how many lines the queue had no place for.
     *
     * @return lines dropped since the output was chosen
     */
    public static long dropped() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        return context.getLogger("ROOT").getAppender(QUEUE_NAME) instanceof DroppingQueue queue ? queue.dropped() : 0;
    }

    /** Waits, within a short bound, until queued lines are written. */
    public static void flush() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.stop();
    }
}

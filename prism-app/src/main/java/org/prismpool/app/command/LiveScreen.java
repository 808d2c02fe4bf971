package org.prismpool.app.command;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A block of lines at the bottom of a terminal that is repainted, while other lines pass above it. Thread-safe; a write waits as
 * long as the terminal does.
 */
final class LiveScreen implements AutoCloseable {

    private static final String ESCAPE = "\u001b[";

    private final PrintStream terminal;
    private int shown; // lines of the block now on the terminal

    /**
     * Creates a screen that shows nothing.
     *
     * @param terminal where to; understands ANSI sequences
     */
    LiveScreen(PrintStream terminal) {
        this.terminal = terminal;
    }

    /** Replaces the block. */
    synchronized void paint(List<String> lines) {
        StringBuilder text = new StringBuilder(erase());
        lines.forEach(line -> text.append(line).append('\n'));
        terminal.print(text);
        terminal.flush();
        shown = lines.size();
    }

    /** Writes whole lines above the block, which stays erased until it is painted again. */
    synchronized void above(String lines) {
        terminal.print(erase() + lines);
        terminal.flush();
        shown = 0;
    }

    private String erase() {
        return shown == 0 ? "" : ESCAPE + shown + "A\r" + ESCAPE + "J";
    }

    /**
     * Returns a stream whose writes, each of whole lines, pass above the block.
     *
     * @return the stream; closing it does nothing
     */
    OutputStream lines() {
        return new OutputStream() {
            @Override
            public void write(int each) {
                write(new byte[] {(byte) each}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                above(new String(bytes, from, length, StandardCharsets.UTF_8));
            }
        };
    }

    /** Erases the block. */
    @Override
    public void close() {
        above("");
    }
}

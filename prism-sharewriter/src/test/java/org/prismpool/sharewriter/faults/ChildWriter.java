package org.prismpool.sharewriter.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts a {@link WriterProcess} and follows what it prints. */
final class ChildWriter implements AutoCloseable {

    private final Process process;
    private final Map<String, Long> acknowledged = new LinkedHashMap<>(); // guarded by itself
    private final Thread reader;
    private volatile boolean held;
    private volatile boolean waiting;
    private volatile String release = "";

    ChildWriter(String url, String writerId, String prefix) throws IOException {
        process = new ProcessBuilder(List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        WriterProcess.class.getName(),
                        url,
                        writerId,
                        prefix))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        reader = new Thread(this::read, "child-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                if (line.equals("HELD")) {
                    held = true;
                } else if (line.equals("WAITING")) {
                    waiting = true;
                } else if (words.length == 3 && words[0].equals("ACK")) {
                    synchronized (acknowledged) {
                        acknowledged.put(words[1], Long.parseLong(words[2]));
                    }
                } else if (words[0].equals("RELEASE")) {
                    release = words[1];
                }
            }
        } catch (IOException ended) {
            held = false;
        }
    }

    boolean held() {
        return held;
    }

    boolean waiting() {
        return waiting;
    }

    String release() {
        return release;
    }

    Map<String, Long> acknowledged() {
        synchronized (acknowledged) {
            return new LinkedHashMap<>(acknowledged);
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(15, TimeUnit.SECONDS)) {
            throw new AssertionError("the child does not end");
        }
        reader.join(5000);
        return process.exitValue();
    }

    /** Sends a signal by name, as {@code KILL}, {@code STOP}, {@code CONT} or {@code TERM}. */
    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            exitCode();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package org.prismpool.bundle.compile;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one helper: payload file first, no pipes, polled, stopped by signals with bounded waits, reaped, cleaned up
 * (spec 07 §5.2).
 *
 * <p>Confined to the build thread that calls {@link #run}.
 */
final class HelperProcess {

    /** Phase label of a build whose time was up. */
    static final String PHASE = "bundle_builder";

    private static final Logger LOG = LoggerFactory.getLogger(HelperProcess.class);
    private static final long POLL_MILLIS = 20;
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private final SubprocessConfig config;
    private final HelperDirectory directory;
    private final HelperEvents events;

    HelperProcess(SubprocessConfig config, HelperDirectory directory, HelperEvents events) {
        this.config = config;
        this.directory = directory;
        this.events = events;
    }

    /** Writes the payload; checks deadline and cancellation between chunks through the stream it is given. */
    @FunctionalInterface
    interface Payload {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Output of a helper that exited with status 0. */
    record Output(byte[] stdout, String stderr) {}

    Output run(List<String> options, Payload payload, Deadline deadline, CancelSignal cancel) {
        Path in = directory.newFile("in");
        Path out = directory.newFile("out");
        Path err = directory.newFile("err");
        try {
            long written = timed(HelperEvents.Step.PAYLOAD, () -> writePayload(in, payload, deadline, cancel));
            Output output = timed(HelperEvents.Step.RUN, () -> execute(options, in, out, err, deadline, cancel));
            events.bytes(written, output.stdout().length);
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException("helper files", e);
        } finally {
            remove(in);
            remove(out);
            remove(err);
        }
    }

    /** A part of a compile. */
    @FunctionalInterface
    private interface Part<T> {
        T run() throws IOException;
    }

    private <T> T timed(HelperEvents.Step step, Part<T> part) throws IOException {
        long began = System.nanoTime();
        try {
            return part.run();
        } finally {
            events.took(step, System.nanoTime() - began);
        }
    }

    private long writePayload(Path in, Payload payload, Deadline deadline, CancelSignal cancel) throws IOException {
        try (CheckedOutput checked = new CheckedOutput(
                Files.newOutputStream(in, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), deadline, cancel)) {
            payload.writeTo(checked);
            checked.flush();
            return checked.written();
        }
    }

    private Output execute(List<String> options, Path in, Path out, Path err, Deadline deadline, CancelSignal cancel)
            throws IOException {
        check(deadline, cancel);
        Process process = start(options, in, out, err);
        events.count(HelperEvents.Kind.STARTS);
        boolean reaped = false;
        try {
            events.running(process.pid());
            directory.recordHelper(process.toHandle());
            int exit = await(process, out, err, deadline, cancel);
            reaped = true;
            if (exit != 0) {
                events.count(HelperEvents.Kind.CRASHES);
                events.count(HelperEvents.Kind.FAILURES);
                throw new CompileException("helper exited with status " + exit + ": " + diagnostics(err));
            }
            return new Output(Files.readAllBytes(out), diagnostics(err));
        } finally {
            if (!reaped && process.isAlive()) {
                stop(process, config.cancelGrace());
            }
            events.gone(process.pid());
            directory.forgetHelper(process.pid());
        }
    }

    private Process start(List<String> options, Path in, Path out, Path err) throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            command.add(SETSID.toString()); // a session of its own: stop signals reach its descendants
        }
        command.addAll(config.command());
        command.addAll(options);
        return new ProcessBuilder(command)
                .directory(directory.path().toFile())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    private int await(Process process, Path out, Path err, Deadline deadline, CancelSignal cancel) {
        while (true) {
            boolean exited = exitsWithinPoll(process);
            // A result that arrives after the cancellation or the deadline is neither a result nor a crash.
            if (cancel.cancelled()) {
                terminate(process, config.cancelGrace());
                throw new CancelledException(cancel.reason().orElse("cancelled"));
            }
            if (deadline.expired()) {
                terminate(process, config.terminateGrace());
                events.count(HelperEvents.Kind.FAILURES);
                throw new DeadlineExceededException(deadline.owner(), PHASE);
            }
            checkSize(process, out, config.maxStdoutBytes(), "standard output");
            checkSize(process, err, config.maxStderrBytes(), "diagnostics");
            if (exited) {
                return process.exitValue();
            }
        }
    }

    private boolean exitsWithinPoll(Process process) {
        try {
            return process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            terminate(process, config.cancelGrace());
            Thread.currentThread().interrupt();
            throw new CancelledException("build thread interrupted");
        }
    }

    private void checkSize(Process process, Path file, long limit, String what) {
        if (size(file) > limit) {
            terminate(process, config.cancelGrace());
            events.count(HelperEvents.Kind.FAILURES);
            throw new CompileException("helper wrote more than " + limit + " bytes of " + what);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException("helper output vanished", e);
        }
    }

    private void terminate(Process process, Duration grace) {
        if (process.isAlive()) {
            events.count(HelperEvents.Kind.TERMINATIONS);
            stop(process, grace);
        }
    }

    /** TERM, wait, KILL, wait; never longer than two graces. */
    private void stop(Process process, Duration grace) {
        signal(process, "TERM");
        if (exits(process, grace)) {
            signal(process, "KILL"); // descendants that ignored the first signal
            return;
        }
        signal(process, "KILL");
        if (!exits(process, grace)) {
            LOG.atError().addKeyValue("pid", process.pid()).log("unreaped helper");
            CompletableFuture<Void> unused = process.onExit()
                    .thenAccept(p -> LOG.atInfo().addKeyValue("pid", p.pid()).log("helper reaped late"));
        }
    }

    private static boolean exits(Process process, Duration grace) {
        boolean interrupted = false;
        long end = System.nanoTime() + grace.toNanos();
        try {
            while (true) {
                try {
                    return process.waitFor(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true; // a stop in progress is finished first
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void signal(Process process, String name) {
        List<ProcessHandle> family = new ArrayList<>(process.descendants().toList());
        family.add(process.toHandle());
        for (ProcessHandle member : family) {
            boolean sent = name.equals("TERM") ? member.destroy() : member.destroyForcibly();
            if (!sent && member.isAlive()) {
                LOG.atDebug()
                        .addKeyValue("pid", member.pid())
                        .addKeyValue("signal", name)
                        .log("signal not delivered");
            }
        }
        if (Files.isExecutable(SETSID)) {
            signalGroup(process.pid(), name);
        }
    }

    /** Reaches descendants whose parent is gone: they stay in the helper's process group. */
    private static void signalGroup(long pgid, String name) {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " -- -" + pgid)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(1, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
            }
        } catch (IOException e) {
            LOG.atDebug().addKeyValue("pgid", pgid).setCause(e).log("process group not signalled");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String diagnostics(Path err) {
        try {
            byte[] bytes = Files.readAllBytes(err);
            int length = Math.min(bytes.length, 64 * 1024);
            return new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("helper diagnostics not readable");
            return "";
        }
    }

    private static void check(Deadline deadline, CancelSignal cancel) {
        cancel.throwIfCancelled();
        deadline.check(PHASE);
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("file", file).setCause(e).log("helper file not removed");
        }
    }

    /** Checks cancellation and deadline before every chunk, however large the payload is. */
    private static final class CheckedOutput extends OutputStream {
        private static final int CHUNK = 1 << 20;

        private final OutputStream target;
        private final Deadline deadline;
        private final CancelSignal cancel;
        private final byte[] buffer = new byte[CHUNK];
        private int used;
        private long written;

        private CheckedOutput(OutputStream target, Deadline deadline, CancelSignal cancel) {
            this.target = target;
            this.deadline = deadline;
            this.cancel = cancel;
        }

        private long written() {
            return written;
        }

        @Override
        public void write(int b) throws IOException {
            if (used == CHUNK) {
                drain();
            }
            buffer[used++] = (byte) b;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int from = offset;
            int left = length;
            while (left > 0) {
                if (used == CHUNK) {
                    drain();
                }
                int part = Math.min(left, CHUNK - used);
                System.arraycopy(bytes, from, buffer, used, part);
                used += part;
                from += part;
                left -= part;
            }
        }

        @Override
        public void flush() throws IOException {
            drain();
            target.flush();
        }

        @Override
        public void close() throws IOException {
            target.close();
        }

        private void drain() throws IOException {
            check(deadline, cancel);
            target.write(buffer, 0, used);
            written += used;
            used = 0;
        }
    }
}

package org.prismpool.bundle.compile;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Settings of helper processes (spec 07 §5.2).
 *
 * @param command program and leading arguments that the contract's options are appended to; not empty
 * @param directory where the private directory of this process is made; must be writable
 * @param buildTimeout longest compile, payload writing included; default 60 s
 * @param terminateGrace wait after each stop signal when time was up; default 2 s
 * @param cancelGrace wait after the first stop signal when something newer won or the service stops; default 0.25 s
 * @param maxStdoutBytes largest accepted output; default 64 MiB
 * @param maxStderrBytes largest accepted diagnostics; default 1 MiB
 * @param keyFiles whether the command reads seeds from files that are named to it, so that they are not among its arguments;
 *     the contract's command does not
 */
public record SubprocessConfig(
        List<String> command,
        Path directory,
        Duration buildTimeout,
        Duration terminateGrace,
        Duration cancelGrace,
        long maxStdoutBytes,
        long maxStderrBytes,
        boolean keyFiles) {

    /** Checks and copies the components. */
    public SubprocessConfig {
        command = List.copyOf(command);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the helper command is empty");
        }
        Objects.requireNonNull(directory, "directory");
        if (buildTimeout.isNegative() || buildTimeout.isZero()) {
            throw new IllegalArgumentException("buildTimeout must be positive: " + buildTimeout);
        }
        if (terminateGrace.isNegative() || cancelGrace.isNegative()) {
            throw new IllegalArgumentException("graces must not be negative");
        }
        if (maxStdoutBytes < 1 || maxStderrBytes < 1) {
            throw new IllegalArgumentException("output limits must be positive");
        }
    }

    /**
     * Returns the documented defaults for a command.
     *
     * @param command program and leading arguments
     * @param directory where the private directory of this process is made
     * @return the settings
     */
    public static SubprocessConfig defaults(List<String> command, Path directory) {
        return new SubprocessConfig(
                command,
                directory,
                Duration.ofSeconds(60),
                Duration.ofSeconds(2),
                Duration.ofMillis(250),
                64L << 20,
                1L << 20,
                false);
    }

    /**
     * Returns these settings with other times.
     *
     * @param build longest build
     * @param terminate grace of a helper that took too long
     * @param cancel grace of a superseded helper
     * @return the settings
     */
    public SubprocessConfig withTimes(Duration build, Duration terminate, Duration cancel) {
        return new SubprocessConfig(
                command, directory, build, terminate, cancel, maxStdoutBytes, maxStderrBytes, keyFiles);
    }

    /**
     * Returns these settings for a helper that takes its seeds in private files, or as arguments.
     *
     * @param files true for files
     * @return the settings
     */
    public SubprocessConfig withKeyFiles(boolean files) {
        return new SubprocessConfig(
                command, directory, buildTimeout, terminateGrace, cancelGrace, maxStdoutBytes, maxStderrBytes, files);
    }
}

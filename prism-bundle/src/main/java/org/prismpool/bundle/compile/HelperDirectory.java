package org.prismpool.bundle.compile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The private directory of one process instance for helper files, with a record of its owner and its live helpers, so
 * that a successor can clean up after a crash (spec 07 §5.2).
 *
 * <p>Thread-safe; every file has a name of its own.
 */
public final class HelperDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HelperDirectory.class);
    private static final Pattern NAME = Pattern.compile("prism-helpers-[0-9]+-[0-9a-f]{8}");
    private static final String OWNER = "owner";
    private static final Pattern HELPER = Pattern.compile("helper-([0-9]+)");

    private final Path path;

    private HelperDirectory(Path path) {
        this.path = path;
    }

    /** One recorded process: it is the same one only if all three agree. */
    private record Recorded(long pid, String startedAt, String command) {

        static Recorded of(ProcessHandle process) {
            return new Recorded(
                    process.pid(),
                    process.info().startInstant().map(Instant::toString).orElse(""),
                    process.info().command().orElse(""));
        }

        Optional<ProcessHandle> find() {
            return ProcessHandle.of(pid).filter(p -> of(p).equals(this));
        }

        String text() {
            return pid + "\n" + startedAt + "\n" + command + "\n";
        }

        static Recorded parse(String text) {
            String[] lines = text.split("\n", -1);
            if (lines.length < 3) {
                throw new IllegalArgumentException("truncated process record");
            }
            return new Recorded(Long.parseLong(lines[0]), lines[1], lines[2]);
        }
    }

    /**
     * What a sweep did.
     *
     * @param removed directories of dead owners that are gone now
     * @param killed helpers of dead owners that were still running
     * @param left entries that are not ours to touch
     */
    public record Sweep(int removed, int killed, List<Path> left) {
        /** Copies the list. */
        public Sweep {
            left = List.copyOf(left);
        }
    }

    /**
     * Creates the directory of this process, readable by its user only.
     *
     * @param parent existing or new directory to create it in
     * @return the directory
     * @throws UncheckedIOException if it can't be created
     */
    public static HelperDirectory create(Path parent) {
        try {
            Files.createDirectories(parent);
            ProcessHandle self = ProcessHandle.current();
            Path path = parent.resolve("prism-helpers-" + self.pid() + "-"
                    + UUID.randomUUID().toString().substring(0, 8));
            if (posix(parent)) {
                Files.createDirectory(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectory(path);
            }
            Files.writeString(path.resolve(OWNER), Recorded.of(self).text(), StandardCharsets.UTF_8);
            return new HelperDirectory(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a helper directory in " + parent, e);
        }
    }

    /**
     * Removes what dead processes left behind: their directories, and helpers of theirs that still run.
     *
     * @param parent directory that holds the directories of all process instances
     * @return what was done
     * @throws UncheckedIOException if the directory can't be listed
     */
    public static Sweep sweep(Path parent) {
        if (!Files.isDirectory(parent)) {
            return new Sweep(0, 0, List.of());
        }
        int removed = 0;
        int killed = 0;
        List<Path> left = new ArrayList<>();
        try (Stream<Path> entries = Files.list(parent)) {
            for (Path entry : entries.sorted().toList()) {
                Optional<Recorded> owner = owner(entry);
                if (owner.isEmpty()) {
                    left.add(entry);
                } else if (owner.get().find().isEmpty()) {
                    killed += killHelpers(entry);
                    deleteTree(entry);
                    removed++;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot sweep " + parent, e);
        }
        if (removed > 0 || !left.isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("removed", removed)
                    .addKeyValue("killed", killed)
                    .addKeyValue("left", left.size())
                    .log("helper directories swept");
        }
        return new Sweep(removed, killed, left);
    }

    /**
     * Returns the directory itself.
     *
     * @return its path
     */
    public Path path() {
        return path;
    }

    /** Names a new file; it does not exist yet. */
    Path newFile(String role) {
        return path.resolve(role + "-" + UUID.randomUUID());
    }

    /** Writes a file that only this user can read; returns its path as text. */
    String privateFile(String name, String content) {
        Path file = path.resolve(name);
        try {
            if (posix(path)) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            Files.writeString(file, content, StandardCharsets.UTF_8);
            return file.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a private file in " + path, e);
        }
    }

    void recordHelper(ProcessHandle helper) throws IOException {
        Files.writeString(
                path.resolve("helper-" + helper.pid()), Recorded.of(helper).text(), StandardCharsets.UTF_8);
    }

    void forgetHelper(long pid) {
        try {
            Files.deleteIfExists(path.resolve("helper-" + pid));
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("pid", pid).setCause(e).log("helper record not removed");
        }
    }

    /** Removes the directory and everything in it. */
    @Override
    public void close() {
        try {
            deleteTree(path);
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("path", path).setCause(e).log("helper directory not removed");
        }
    }

    private static Optional<Recorded> owner(Path entry) {
        String name = String.valueOf(entry.getFileName());
        if (!NAME.matcher(name).matches() || !Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        return recorded(entry.resolve(OWNER));
    }

    private static Optional<Recorded> recorded(Path file) {
        try {
            return Optional.of(Recorded.parse(Files.readString(file, StandardCharsets.UTF_8)));
        } catch (IOException | IllegalArgumentException unreadable) {
            LOG.atWarn().addKeyValue("file", file).setCause(unreadable).log("process record not readable");
            return Optional.empty();
        }
    }

    private static int killHelpers(Path directory) throws IOException {
        int killed = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Matcher helper = HELPER.matcher(String.valueOf(file.getFileName()));
                if (!helper.matches()) {
                    continue;
                }
                Optional<ProcessHandle> alive = recorded(file).flatMap(Recorded::find);
                if (alive.isPresent()) {
                    alive.get().descendants().forEach(ProcessHandle::destroyForcibly);
                    killed += alive.get().destroyForcibly() ? 1 : 0;
                }
            }
        }
        return killed;
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> entries;
        try (Stream<Path> walk = Files.walk(root)) {
            entries = new ArrayList<>(walk.toList());
        }
        for (int i = entries.size() - 1; i >= 0; i--) {
            Files.deleteIfExists(entries.get(i));
        }
    }

    private static boolean posix(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView("posix");
    }
}

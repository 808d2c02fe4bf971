package org.prismpool.payout.audit;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Sha256;

/**
 * A folder whose files are written durably and never through a link (payout specification 15.2 and 15.3).
 *
 * <p>The folder's inode is remembered when it is opened; every operation refuses while the path names another one. The check
 * stands before the operation, so a folder swapped in that instant is noticed only by the next one; files themselves are
 * always opened without following links.
 */
final class OwnedDirectory {

    private static final long MAX_FILE = 1L << 31;
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> NEW_READABLE = Set.of(
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            StandardOpenOption.READ,
            LinkOption.NOFOLLOW_LINKS);

    private final Path path;
    private final @Nullable Object identity;
    private final StepHook hook;

    /** Hears of every step that changes the disk; tests stop there. */
    @FunctionalInterface
    interface StepHook {
        void before(String step) throws IOException;
    }

    /** What a file was when it was looked at. */
    record Stamp(@Nullable Object identity, long size, FileTime modified, boolean regular) {

        static Stamp of(BasicFileAttributes attributes) {
            return new Stamp(
                    attributes.fileKey(), attributes.size(), attributes.lastModifiedTime(), attributes.isRegularFile());
        }
    }

    private OwnedDirectory(Path path, @Nullable Object identity, StepHook hook) {
        this.path = path;
        this.identity = identity;
        this.hook = hook;
    }

    static OwnedDirectory open(Path path, StepHook hook) throws IOException {
        Path absolute = path.toAbsolutePath().normalize();
        Files.createDirectories(absolute);
        return new OwnedDirectory(absolute, directoryKey(absolute), hook);
    }

    Path path() {
        return path;
    }

    /** Reads a file, or nothing if it is not there. */
    Optional<byte[]> read(String name) throws IOException {
        check();
        try (FileChannel channel =
                FileChannel.open(path.resolve(name), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long size = channel.size();
            if (size > MAX_FILE) {
                throw new IOException("audit artifact is too large: " + path.resolve(name));
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) size);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // until the size seen at the start
            }
            return Optional.of(Arrays.copyOf(bytes.array(), bytes.position()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Creates a file from a document and returns what it is then. */
    Stamp create(String name, Consumer<CanonicalWriter> document) throws IOException {
        check();
        hook.before("create " + name);
        try (FileChannel channel = FileChannel.open(path.resolve(name), NEW, OWNER_ONLY)) {
            CanonicalWriter out = CanonicalWriter.compact(ByteSink.to(Channels.newOutputStream(channel)));
            document.accept(out);
            out.flush();
            channel.force(true);
        } catch (UncheckedIOException e) {
            throw new IOException("audit candidate could not be written: " + path.resolve(name), e);
        }
        return stamp(name).orElseThrow(() -> new NoSuchFileException(name));
    }

    /** Copies a file into one that nobody else can open: it has no name any more. */
    FileChannel unlinkedCopy(String name, String temporary) throws IOException {
        check();
        Path copy = path.resolve(temporary);
        FileChannel unlinked = FileChannel.open(copy, NEW_READABLE, OWNER_ONLY);
        try (FileChannel source =
                FileChannel.open(path.resolve(name), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(copy);
            hook.before("copy " + name);
            long size = source.size();
            for (long at = 0; at < size; ) {
                long count = source.transferTo(at, size - at, unlinked);
                if (count <= 0) {
                    throw new EOFException("audit candidate became shorter: " + path.resolve(name));
                }
                at += count;
            }
            return unlinked.position(0);
        } catch (IOException e) {
            unlinked.close();
            throw e;
        }
    }

    /** Hashes a file. */
    String sha256Hex(String name) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        ByteSink sink = ByteSink.to(digest);
        try (FileChannel channel =
                        FileChannel.open(path.resolve(name), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                InputStream in = Channels.newInputStream(channel)) {
            byte[] block = new byte[1 << 16];
            for (int count = in.read(block); count >= 0; count = in.read(block)) {
                sink.accept(block, 0, count);
            }
        }
        return Hex.encode(digest.digest());
    }

    boolean exists(String name) {
        return Files.isRegularFile(path.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** Creates a file that never changes; the same bytes again are a repair of its durability. */
    void writeImmutable(String name, byte[] bytes) throws IOException {
        check();
        String temporary = temporary(name, "tmp");
        try {
            writeNew(temporary, bytes);
            hook.before("link " + name);
            try {
                Files.createLink(path.resolve(name), path.resolve(temporary));
            } catch (FileAlreadyExistsException e) {
                if (!Arrays.equals(read(name).orElse(new byte[0]), bytes)) {
                    throw new IOException("existing audit artifact does not match payload at " + path.resolve(name), e);
                }
            }
            sync();
        } finally {
            Files.deleteIfExists(path.resolve(temporary));
        }
    }

    /** Replaces a file as a whole: a reader or a crash sees the old bytes or the new ones. */
    void replace(String name, byte[] bytes) throws IOException {
        check();
        String temporary = temporary(name, "tmp");
        try {
            writeNew(temporary, bytes);
            hook.before("rename " + name);
            Files.move(path.resolve(temporary), path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            sync();
        } finally {
            Files.deleteIfExists(path.resolve(temporary));
        }
    }

    /** Puts back what a file was before a failed change, unless someone else replaced it since. */
    void restore(String name, Optional<byte[]> before, byte[] ours) throws IOException {
        Optional<byte[]> now = read(name);
        if (now.isEmpty() || !Arrays.equals(now.get(), ours)) {
            return;
        }
        if (before.isPresent()) {
            replace(name, before.get());
        } else {
            Files.deleteIfExists(path.resolve(name));
            sync();
        }
    }

    /** Copies a file once under another name. */
    void snapshot(String name, String copy) throws IOException {
        Optional<byte[]> bytes = read(name);
        if (bytes.isPresent()) {
            writeImmutable(copy, bytes.get());
        }
    }

    /** Makes the names of the folder durable. */
    void sync() throws IOException {
        hook.before("sync");
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    List<String> list() throws IOException {
        check();
        List<String> names = new ArrayList<>();
        try (Stream<Path> children = Files.list(path)) {
            children.forEach(child -> names.add(Objects.toString(child.getFileName())));
        }
        return names;
    }

    Optional<Stamp> stamp(String name) throws IOException {
        try {
            return Optional.of(Stamp.of(
                    Files.readAttributes(path.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Deletes a file that still is what was seen: renamed aside, looked at again, then removed or put back. */
    boolean deleteIfUnchanged(String name, Stamp seen) throws IOException {
        check();
        if (!seen.regular() || !stamp(name).equals(Optional.of(seen))) {
            return false;
        }
        String aside = temporary(name, "cleanup");
        Files.move(path.resolve(name), path.resolve(aside), StandardCopyOption.ATOMIC_MOVE);
        if (stamp(aside).equals(Optional.of(seen))) {
            Files.delete(path.resolve(aside));
            return true;
        }
        // A replacement slipped in between: it goes back, unless its name was taken again meanwhile.
        Files.createLink(path.resolve(name), path.resolve(aside));
        Files.delete(path.resolve(aside));
        return false;
    }

    private void writeNew(String name, byte[] bytes) throws IOException {
        hook.before("create " + name);
        try (FileChannel channel = FileChannel.open(path.resolve(name), NEW, OWNER_ONLY)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            hook.before("fsync " + name);
            channel.force(true);
        }
    }

    private static String temporary(String name, String ending) {
        return "." + name + "." + UUID.randomUUID() + "." + ending;
    }

    private void check() throws IOException {
        if (!Objects.equals(directoryKey(path), identity)) {
            throw new IOException("audit directory was replaced: " + path);
        }
    }

    private static @Nullable Object directoryKey(Path path) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()) {
            throw new IOException("audit directory is not a directory: " + path);
        }
        return attributes.fileKey();
    }
}

package org.prismpool.sharewriter.spool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps found blocks that the database did not take: one file per block, durable before the call returns.
 *
 * <p>Thread-safe: each block has its own file, written under another name and moved into place. Blocking on the disk.
 */
public final class FileBlockSpool {

    /** Name of the directory, beside the share recovery file (contract). */
    public static final String DIRECTORY = "prism-unpersisted-blocks";

    private static final Logger LOG = LoggerFactory.getLogger(FileBlockSpool.class);
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final String SUFFIX = ".json";

    private final Path directory;

    /**
     * Creates a spool; the directory is made when the first block is written.
     *
     * @param directory where the files are
     */
    public FileBlockSpool(Path directory) {
        this.directory = directory;
    }

    /**
     * A spooled block.
     *
     * @param blockHash display hash, lower case
     * @param json the document that was written
     */
    public record SpooledBlock(String blockHash, String json) {}

    /**
     * Writes a block and returns once file and directory are on the disk; the same block again replaces its file.
     *
     * @param blockHash display hash
     * @param json document
     * @throws UncheckedIOException if the disk refuses; nothing under the final name is half written
     */
    public void write(String blockHash, String json) {
        Path target = file(blockHash);
        Path temporary = directory.resolve(
                target.getFileName() + "." + Thread.currentThread().getId() + ".tmp");
        try {
            Files.createDirectories(directory);
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            syncDirectory();
        } catch (IOException refused) {
            throw new UncheckedIOException("found block could not be spooled", refused);
        }
    }

    /**
     * Reads every spooled block.
     *
     * @return blocks by hash; files of other names are left alone
     * @throws UncheckedIOException if the directory cannot be read
     */
    public List<SpooledBlock> list() {
        List<SpooledBlock> blocks = new ArrayList<>();
        for (Path file : files()) {
            String name = file.getFileName().toString();
            try {
                blocks.add(
                        new SpooledBlock(name.substring(0, name.length() - SUFFIX.length()), Files.readString(file)));
            } catch (NoSuchFileException removedMeanwhile) {
                LOG.atDebug().addKeyValue("file", name).log("spooled block was removed while the spool was read");
            } catch (IOException unreadable) {
                throw new UncheckedIOException("spooled block cannot be read", unreadable);
            }
        }
        return blocks;
    }

    /**
     * Counts spooled blocks.
     *
     * @return files waiting
     */
    public int size() {
        return files().size();
    }

    /**
     * Removes a block that the database now holds.
     *
     * @param blockHash display hash
     * @throws UncheckedIOException if the disk refuses
     */
    public void remove(String blockHash) {
        try {
            if (Files.deleteIfExists(file(blockHash))) {
                syncDirectory();
            }
        } catch (IOException refused) {
            throw new UncheckedIOException("spooled block could not be removed", refused);
        }
    }

    private Path file(String blockHash) {
        String hash = blockHash.toLowerCase(Locale.ROOT);
        if (!HASH.matcher(hash).matches()) {
            throw new IllegalArgumentException("block hash must be 64 hex digits");
        }
        return directory.resolve(hash + SUFFIX);
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            return files;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (HASH.matcher(name.substring(0, name.length() - SUFFIX.length()))
                        .matches()) {
                    files.add(entry);
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("block spool cannot be read", unreadable);
        }
        Collections.sort(files);
        return files;
    }

    /** A new or removed name is durable only once its directory is. */
    private void syncDirectory() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}

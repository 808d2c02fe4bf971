package org.prismpool.app.devnode.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An append-only file of records: kind (1 byte), length (4 bytes), CRC-32C of kind and payload (4 bytes), payload. A last
 * record that was cut short, or never reached the disk whole, is dropped at the next opening; a broken record with others
 * after it is not, and refuses the start.
 *
 * <p>Written through to the operating system at each append, so that records survive the death of the process; forced to
 * the disk at close only. Not thread-safe, apart from {@link #close}: guarded by the lock of the chain state.
 */
final class BlockLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BlockLog.class);
    private static final int HEAD_SIZE = 9;
    private static final int LARGEST_PAYLOAD = 16 << 20;

    /** One record. */
    static final class Entry {

        private final char kind;
        private final byte[] payload;

        Entry(char kind, byte[] payload) {
            this.kind = kind;
            this.payload = payload;
        }

        char kind() {
            return kind;
        }

        /** Not copied; read once, at the start. */
        byte[] payload() {
            return payload;
        }

        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    private final FileChannel channel;
    private final FileLock lock;
    private final List<Entry> recovered;

    private BlockLog(FileChannel channel, FileLock lock, List<Entry> recovered) {
        this.channel = channel;
        this.lock = lock;
        this.recovered = recovered;
    }

    /**
     * Opens or creates a log and reads it.
     *
     * @throws IllegalStateException when another process has it open, or a record in the middle is broken
     * @throws UncheckedIOException when the file can't be read or written
     */
    static BlockLog open(Path file) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock = lock(channel);
            return new BlockLog(channel, lock, recover(channel, Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException("block log can't be opened", e);
        }
    }

    List<Entry> recovered() {
        return recovered;
    }

    void append(char kind, byte[] payload) {
        ByteBuffer record = ByteBuffer.allocate(HEAD_SIZE + payload.length);
        record.put((byte) kind)
                .putInt(payload.length)
                .putInt(checksum(kind, payload))
                .put(payload)
                .flip();
        try {
            while (record.hasRemaining()) {
                channel.write(record);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("block log can't be written", e);
        }
    }

    @Override
    public void close() {
        try (channel) {
            channel.force(true);
            lock.release();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("block log did not close cleanly");
        }
    }

    private static FileLock lock(FileChannel channel) throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new IllegalStateException("block log is in use by this process", e);
        }
        if (lock == null) {
            channel.close();
            throw new IllegalStateException("block log is in use by another process");
        }
        return lock;
    }

    private static List<Entry> recover(FileChannel channel, byte[] bytes) throws IOException {
        List<Entry> entries = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int good = 0;
        while (buffer.remaining() >= HEAD_SIZE) {
            char kind = (char) (buffer.get() & 0xff);
            int length = buffer.getInt();
            int expected = buffer.getInt();
            if (length < 0 || length > LARGEST_PAYLOAD || length > buffer.remaining()) {
                break;
            }
            byte[] payload = new byte[length];
            buffer.get(payload);
            if (checksum(kind, payload) != expected) {
                if (buffer.hasRemaining()) {
                    channel.close();
                    throw new IllegalStateException("block log is broken at byte " + good);
                }
                break;
            }
            entries.add(new Entry(kind, payload));
            good = buffer.position();
        }
        if (good < bytes.length) {
            LOG.atWarn().addKeyValue("bytes", bytes.length - good).log("incomplete end of the block log dropped");
            channel.truncate(good);
        }
        channel.position(good);
        return List.copyOf(entries);
    }

    private static int checksum(char kind, byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(kind);
        crc.update(payload);
        return (int) crc.getValue();
    }
}

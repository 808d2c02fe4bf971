package org.prismpool.payout.json;

import com.google.common.util.concurrent.Uninterruptibles;
import java.security.MessageDigest;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/**
 * SHA-256 on a second thread while the caller encodes: for documents of many megabytes it takes the longer of both instead of
 * their sum. The thread, {@code prism-payout-hash}, lives no longer than the call; blocks between the two are bounded.
 */
public final class OverlappedSha256 {

    private static final int BLOCK = 1 << 16;
    private static final int BLOCKS = 6;

    private final BlockingQueue<Block> full = new ArrayBlockingQueue<>(BLOCKS + 1);
    private final BlockingQueue<Block> free = new ArrayBlockingQueue<>(BLOCKS);
    private final MessageDigest digest = Sha256.newDigest();
    private Block filling = new Block();

    /** Bytes on their way; a block of length -1 ends the stream. */
    private static final class Block {
        final byte[] bytes = new byte[BLOCK];
        int length;
    }

    private OverlappedSha256() {
        for (int i = 1; i < BLOCKS; i++) {
            free.add(new Block());
        }
    }

    /**
     * Hashes what a producer writes.
     *
     * @param producer writes bytes into the sink, on the calling thread
     * @return 32 bytes
     */
    public static byte[] of(Consumer<ByteSink> producer) {
        OverlappedSha256 pipe = new OverlappedSha256();
        Thread hasher = new Thread(pipe::hash, "prism-payout-hash");
        hasher.setDaemon(true);
        hasher.start();
        try {
            producer.accept(pipe::accept);
        } finally {
            pipe.finish();
            Uninterruptibles.joinUninterruptibly(hasher); // it only hashes what is queued
        }
        return pipe.digest.digest();
    }

    private void accept(byte[] bytes, int offset, int length) {
        int from = offset;
        int left = length;
        while (left > 0) {
            int count = Math.min(left, BLOCK - filling.length);
            System.arraycopy(bytes, from, filling.bytes, filling.length, count);
            filling.length += count;
            from += count;
            left -= count;
            if (filling.length == BLOCK) {
                Uninterruptibles.putUninterruptibly(full, filling);
                filling = Uninterruptibles.takeUninterruptibly(free);
                filling.length = 0;
            }
        }
    }

    private void finish() {
        Block last = filling;
        Uninterruptibles.putUninterruptibly(full, last);
        Block end = new Block();
        end.length = -1;
        Uninterruptibles.putUninterruptibly(full, end);
    }

    private void hash() {
        for (Block block = Uninterruptibles.takeUninterruptibly(full);
                block.length >= 0;
                block = Uninterruptibles.takeUninterruptibly(full)) {
            Sha256.update(digest, block.bytes, 0, block.length);
            free.offer(block);
        }
    }
}

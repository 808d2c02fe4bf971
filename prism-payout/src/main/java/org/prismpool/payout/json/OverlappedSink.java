package org.prismpool.payout.json;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sink on a second thread while the caller encodes: for documents of many megabytes it takes the longer of both instead of
 * their sum. The thread lives no longer than the call; blocks between the two are bounded. Calls share nothing: any thread may make
 * them.
 */
public final class OverlappedSink {

    // Both sides are about equally fast, so one of them waits at nearly every block; waking a thread takes as long as
    // encoding tens of kilobytes.
    private static final int BLOCK = 1 << 18;
    private static final int BLOCKS = 6;

    private final ByteSink sink;
    private final BlockingQueue<Block> full = new ArrayBlockingQueue<>(BLOCKS + 1);
    private final BlockingQueue<Block> free = new ArrayBlockingQueue<>(BLOCKS);
    private Block filling = new Block();
    private @Nullable Throwable failure; // written before the thread ends and read after it was joined

    /** Bytes on their way; a block of length -1 ends the stream. */
    private static final class Block {
        final byte[] bytes = new byte[BLOCK];
        int length;
    }

    private OverlappedSink(ByteSink sink) {
        this.sink = sink;
        for (int i = 1; i < BLOCKS; i++) {
            free.add(new Block());
        }
    }

    /**
     * Hands everything that a producer writes to a sink, and returns when the sink has taken it.
     *
     * @param threadName name of the sink's thread
     * @param sink takes the bytes, on its own thread; what it throws is thrown here at the end, and it is not called again
     * @param producer writes bytes, on the calling thread; what it throws wins
     */
    public static void run(String threadName, ByteSink sink, Consumer<ByteSink> producer) {
        OverlappedSink pipe = new OverlappedSink(sink);
        Thread taker = new Thread(pipe::take, threadName);
        taker.setDaemon(true);
        taker.start();
        try {
            producer.accept(pipe::accept);
        } finally {
            pipe.finish();
            Uninterruptibles.joinUninterruptibly(taker); // it only takes what is queued
        }
        if (pipe.failure instanceof RuntimeException e) {
            throw e;
        }
        if (pipe.failure instanceof Error e) {
            throw e;
        }
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

    private void take() {
        for (Block block = Uninterruptibles.takeUninterruptibly(full);
                block.length >= 0;
                block = Uninterruptibles.takeUninterruptibly(full)) {
            if (failure == null) {
                pass(block);
            }
            free.offer(block);
        }
    }

    private void pass(Block block) {
        try {
            sink.accept(block.bytes, 0, block.length);
        } catch (RuntimeException | Error e) {
            failure = e; // the caller's, who rethrows it; the producer must not wait for a block for ever
        }
    }
}

package org.prismpool.stratum.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.JobContext;

/**
 * What one connection has yet to send (spec 02 §1.6): lines go to the socket while it takes them, then wait here, bounded in
 * bytes and age. Of job updates only the newest waits. Confined to the event loop.
 */
final class Outbound {

    private static final Runnable NOTHING = () -> {};

    /** One write: a response, or a job's update until it is encoded. */
    private static final class Entry {
        final byte[] bytes;
        final Runnable written;
        final @Nullable Update update;

        Entry(byte[] bytes, Runnable written, @Nullable Update update) {
            this.bytes = bytes;
            this.written = written;
            this.update = update;
        }
    }

    private record Update(boolean clean, BooleanSupplier stillWanted, CompletableFuture<DeliveryResult> result) {}

    private final ChannelHandlerContext context;
    private final int maxBytes;
    private @Nullable ArrayDeque<Entry> waiting;
    private @Nullable Entry waitingUpdate;
    private int waitingBytes;
    private int inFlightBytes;
    private int inFlight;
    private int largestUpdate;
    private long progressNanos; // last time that nothing was in flight or a write ended
    private boolean progressed; // a write ended since the last look at the age
    private boolean closed;

    Outbound(ChannelHandlerContext context, int maxBytes) {
        this.context = context;
        this.maxBytes = maxBytes;
    }

    /** Queues a response. */
    void respond(byte[] line, Runnable written, long nowNanos) {
        offer(new Entry(line, written, null), nowNanos);
    }

    /** Queues an update in place of an older one that still waits. */
    CompletionStage<DeliveryResult> update(JobContext job, boolean clean, BooleanSupplier stillWanted, long nowNanos) {
        boolean flag = clean;
        Entry older = waitingUpdate;
        if (older != null && older.update != null && waiting != null) {
            flag |= older.update.clean();
            waiting.remove(older);
            waitingBytes -= older.bytes.length;
            waitingUpdate = null;
            older.update.result().complete(DeliveryResult.REPLACED);
        }
        Update update = new Update(flag, stillWanted, new CompletableFuture<>());
        byte[] lines = job.update(flag);
        largestUpdate = Math.max(largestUpdate, lines.length);
        if (closed) {
            update.result().complete(DeliveryResult.CLOSED);
        } else {
            offer(new Entry(lines, NOTHING, update), nowNanos);
        }
        return update.result();
    }

    private void offer(Entry entry, long nowNanos) {
        if (closed) {
            return;
        }
        if ((waiting == null || waiting.isEmpty()) && context.channel().isWritable()) {
            write(entry, nowNanos);
            return;
        }
        if (waiting == null) {
            waiting = new ArrayDeque<>(4);
        }
        waiting.add(entry);
        waitingBytes += entry.bytes.length;
        if (entry.update != null) {
            waitingUpdate = entry;
        }
    }

    /** Tells whether more waits than a reader may leave: the limit, or two updates if that is more. */
    boolean overflowing() {
        return waitingBytes + inFlightBytes > Math.max(maxBytes, 2 * largestUpdate);
    }

    private void write(Entry entry, long nowNanos) {
        if (inFlight == 0) {
            progressNanos = nowNanos;
        }
        inFlight++;
        inFlightBytes += entry.bytes.length;
        ByteBuf buffer = context.alloc().ioBuffer(entry.bytes.length).writeBytes(entry.bytes);
        ChannelFuture future = context.write(buffer);
        future.addListener(done -> ended(entry, done.isSuccess()));
    }

    private void ended(Entry entry, boolean success) {
        inFlight--;
        inFlightBytes -= entry.bytes.length;
        progressed = true;
        if (success) {
            entry.written.run();
        }
        if (entry.update != null) {
            entry.update.result().complete(success ? DeliveryResult.WRITTEN : DeliveryResult.CLOSED);
        }
    }

    /** Writes what waits while the socket takes it. */
    void drain(long nowNanos) {
        while (waiting != null && !waiting.isEmpty() && context.channel().isWritable()) {
            Entry next = waiting.remove();
            waitingBytes -= next.bytes.length;
            if (next == waitingUpdate) {
                waitingUpdate = null;
            }
            if (next.update != null && !next.update.stillWanted().getAsBoolean()) {
                next.update.result().complete(DeliveryResult.DROPPED);
            } else {
                write(next, nowNanos);
            }
        }
    }

    /** Tells whether bytes have waited for the reader longer than the limit without any write ending. */
    boolean stuck(long nowNanos, long limitNanos) {
        if (progressed) {
            progressed = false;
            progressNanos = nowNanos;
        }
        return limitNanos > 0 && inFlight > 0 && nowNanos - progressNanos > limitNanos;
    }

    boolean empty() {
        return inFlight == 0 && (waiting == null || waiting.isEmpty());
    }

    int unsentBytes() {
        return waitingBytes + inFlightBytes;
    }

    /** Gives up everything that waits. */
    void close() {
        closed = true;
        ArrayDeque<Entry> dropped = waiting;
        waiting = null;
        waitingUpdate = null;
        if (dropped != null) {
            for (Entry entry : dropped) {
                if (entry.update != null) {
                    entry.update.result().complete(DeliveryResult.CLOSED);
                }
            }
        }
    }
}

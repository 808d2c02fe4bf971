package org.prismpool.stratum.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.prismpool.stratum.codec.HexText;

/** A client that logs in, counts its jobs and, if wanted, submits one share after the other. Runs on its event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed close, write or timer to its own handlers
final class BenchMiner extends SimpleChannelInboundHandler<ByteBuf> {

    private static final byte[] NOTIFY = "\"mining.notify\", \"params\": [\"".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] RESULT_TRUE = "\"result\": true".getBytes(StandardCharsets.ISO_8859_1);

    final CompletableFuture<Long> firstJob = new CompletableFuture<>();
    volatile CompletableFuture<Long> nextJob = new CompletableFuture<>();
    private final String username;
    private final long number;
    private final Latencies latencies;
    private final StringBuilder job = new StringBuilder();
    private volatile boolean submitting;
    private long counter;
    private long sentNanos;
    private int matched;
    private int acknowledged;
    private boolean readingJob;
    private boolean loggedIn;

    BenchMiner(String username, long number, Latencies latencies) {
        this.username = username;
        this.number = number;
        this.latencies = latencies;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        String login = "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[\"bench\"]}\n"
                + "{\"id\":2,\"method\":\"mining.authorize\",\"params\":[\"" + username + "\",\"x\"]}\n";
        ctx.writeAndFlush(ctx.alloc().buffer().writeBytes(login.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Starts to submit; call on the event loop after the first job. */
    void submit(ChannelHandlerContext ctx) {
        submitting = true;
        send(ctx);
    }

    void stop() {
        submitting = false;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
        while (bytes.isReadable()) {
            byte next = bytes.readByte();
            if (readingJob) {
                readJob(next);
            } else {
                match(ctx, next);
            }
        }
    }

    private void readJob(byte next) {
        if (next != '"') {
            job.append((char) next);
            return;
        }
        readingJob = false;
        long now = System.nanoTime();
        firstJob.complete(now);
        nextJob.complete(now);
    }

    private void match(ChannelHandlerContext ctx, byte next) {
        matched = next == NOTIFY[matched] ? matched + 1 : next == NOTIFY[0] ? 1 : 0;
        if (matched == NOTIFY.length) {
            matched = 0;
            readingJob = true;
            job.setLength(0);
        }
        acknowledged = next == RESULT_TRUE[acknowledged] ? acknowledged + 1 : next == RESULT_TRUE[0] ? 1 : 0;
        if (acknowledged == RESULT_TRUE.length) {
            acknowledged = 0;
            answered(ctx);
        }
    }

    private void answered(ChannelHandlerContext ctx) {
        if (!loggedIn) {
            loggedIn = true;
        } else if (submitting) {
            latencies.add(System.nanoTime() - sentNanos);
            send(ctx);
        }
    }

    private void send(ChannelHandlerContext ctx) {
        long value = counter++;
        String line = "{\"id\":4,\"method\":\"mining.submit\",\"params\":[\"" + username + "\",\"" + job + "\",\""
                + HexText.ofInt((int) number) + HexText.ofInt((int) (value >>> 32)) + "\",\""
                + HexText.ofInt((int) (System.currentTimeMillis() / 1000)) + "\",\"" + HexText.ofInt((int) value)
                + "\"]}\n";
        sentNanos = System.nanoTime();
        ctx.writeAndFlush(ctx.alloc().buffer(line.length()).writeBytes(line.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        firstJob.completeExceptionally(new IllegalStateException("connection closed"));
        nextJob.completeExceptionally(new IllegalStateException("connection closed"));
    }
}

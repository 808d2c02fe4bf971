package org.prismpool.stratum.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.prismpool.stratum.codec.HexText;

/** A client that logs in, counts its jobs and, if wanted, submits one share after the other. Runs on its event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed close, write or timer to its own handlers
final class BenchMiner extends ByteToMessageDecoder {

    // Lines of this very server: where they differ, and where a notify holds its job id.
    private static final int NOTIFICATION = "{\"id\": ".length();
    private static final int RESULT = "{\"id\": 4, \"result\": ".length();
    private static final int METHOD = "{\"id\": null, \"method\": \"mining.".length();
    private static final int JOB = METHOD + "notify\", \"params\": [\"".length();

    final CompletableFuture<Long> firstJob = new CompletableFuture<>();
    private final String username;
    private final long number;
    private final Latencies latencies;
    private final FanoutRounds rounds;
    private FanoutRound counted;
    private String job = "";
    private volatile boolean submitting;
    private long counter;
    private long sentNanos;
    private boolean loggedIn;

    BenchMiner(String username, long number, Latencies latencies, FanoutRounds rounds) {
        this.username = username;
        this.number = number;
        this.latencies = latencies;
        this.rounds = rounds;
        this.counted = rounds.current();
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
    protected void decode(ChannelHandlerContext ctx, ByteBuf bytes, List<Object> out) {
        int start = bytes.readerIndex();
        int end = bytes.indexOf(start, bytes.writerIndex(), (byte) '\n');
        if (end < 0) {
            return;
        }
        bytes.readerIndex(end + 1);
        if (bytes.getByte(start + NOTIFICATION) != 'n') {
            if (bytes.getByte(start + RESULT) == 't') {
                accepted(ctx);
            }
        } else if (bytes.getByte(start + METHOD) == 'n') {
            notified(bytes, start, end);
        }
    }

    private void notified(ByteBuf bytes, int start, int end) {
        if (submitting || !firstJob.isDone()) {
            int from = start + JOB;
            int quote = bytes.indexOf(from, end, (byte) '"');
            job = bytes.toString(from, quote - from, StandardCharsets.ISO_8859_1);
        }
        long now = System.nanoTime();
        firstJob.complete(now);
        FanoutRound running = rounds.current();
        if (running != counted) {
            counted = running;
            running.arrived(now);
        }
    }

    private void accepted(ChannelHandlerContext ctx) {
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
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        firstJob.completeExceptionally(new IllegalStateException("connection closed"));
        if (rounds.current() != counted) {
            rounds.current().lost();
        }
    }
}

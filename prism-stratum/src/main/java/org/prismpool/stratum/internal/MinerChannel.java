package org.prismpool.stratum.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.session.Session;
import org.prismpool.stratum.session.SessionWire;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One miner's socket: cuts lines for the session, sends what it answers, and watches its limits. Runs on its event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed close, write or timer to its own handlers
final class MinerChannel extends ChannelInboundHandlerAdapter implements SessionWire {

    private static final Logger LOG = LoggerFactory.getLogger(MinerChannel.class);
    private static final long DRAIN_LIMIT = TimeUnit.SECONDS.toNanos(5);

    private final ServerContext server;
    private final EventLoop loop;
    private final LoopState loopState;
    private final Session session;
    private final long acceptedNanos;
    private final int extranonce1;
    private @Nullable InetAddress address; // counted against the limit per address

    private @Nullable ChannelHandlerContext context;
    private @Nullable Outbound outbound;
    private @Nullable ByteBuf received;
    private int scanned; // bytes of received that hold no line end
    private boolean recognized;
    private boolean pumping;
    private boolean reading;
    private boolean flushDue;
    private boolean closed;
    private @Nullable DisconnectReason closingFor; // set while the last answers are written
    private long closingSinceNanos;

    MinerChannel(
            ServerContext server,
            EventLoop loop,
            LoopState loopState,
            ListenerConfig listener,
            long id,
            int extranonce1) {
        this.server = server;
        this.loop = loop;
        this.loopState = loopState;
        this.extranonce1 = extranonce1;
        this.acceptedNanos = server.now();
        this.session = new Session(id, extranonce1, listener, server.services(), this);
    }

    Session session() {
        return session;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        outbound = new Outbound(ctx, server.config().protocol().maxOutboundBytes());
        loopState.channels.add(this);
        server.opened(this);
        session.opened();
    }

    /** Counts the connection against its client's address; false if the address is full and the connection closed. */
    boolean admit(InetAddress client) {
        if (!server.admission().enterAddress(client)) {
            shut(DisconnectReason.PEER);
            return false;
        }
        address = client;
        return true;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (closed || closingFor != null) {
            bytes.release();
            return;
        }
        reading = true;
        received =
                received == null ? bytes : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), received, bytes);
        pump();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        flushNow();
    }

    private void pump() {
        if (pumping || closed) {
            return;
        }
        pumping = true;
        try {
            while (received != null && !closed && closingFor == null && session.acceptsLine()) {
                if (!recognized && !recognize(received)) {
                    break;
                }
                if (!nextLine(received)) {
                    break;
                }
            }
        } finally {
            pumping = false;
        }
        tidy();
    }

    private boolean recognize(ByteBuf bytes) {
        ForeignBytes.Verdict verdict = ForeignBytes.judge(bytes);
        if (verdict == ForeignBytes.Verdict.FOREIGN) {
            server.foreignProtocol();
            shut(DisconnectReason.FOREIGN_PROTOCOL);
        }
        recognized = verdict == ForeignBytes.Verdict.LINES;
        return recognized
                || (verdict == ForeignBytes.Verdict.UNDECIDED
                        && bytes.indexOf(bytes.readerIndex(), bytes.writerIndex(), (byte) '\n') >= 0);
    }

    /** Hands one line to the session; false if none is complete. */
    private boolean nextLine(ByteBuf bytes) {
        int start = bytes.readerIndex();
        int limit = server.config().protocol().maxLineBytes();
        int end = bytes.indexOf(start + scanned, bytes.writerIndex(), (byte) '\n');
        int length = end < 0 ? bytes.readableBytes() : end - start;
        if (length > limit) {
            session.lineTooLong();
            return false;
        }
        if (end < 0) {
            scanned = length;
            return false;
        }
        byte[] line = loopState.scratch(length);
        bytes.getBytes(start, line, 0, length);
        bytes.readerIndex(end + 1);
        scanned = 0;
        session.handle(loopState.parser.parse(line, 0, length), server.now());
        return true;
    }

    private void tidy() {
        ByteBuf bytes = received;
        if (bytes != null && (!bytes.isReadable() || closed || closingFor != null)) {
            bytes.release();
            received = null;
            scanned = 0;
        } else if (bytes != null) {
            bytes.discardSomeReadBytes();
        }
        ChannelHandlerContext ctx = context;
        if (ctx != null && !closed) {
            boolean wanted = session.acceptsLine() || closingFor != null;
            if (ctx.channel().config().isAutoRead() != wanted) {
                ctx.channel().config().setAutoRead(wanted);
            }
        }
    }

    @Override
    public void respond(byte[] line, Runnable written) {
        Outbound out = outbound;
        if (out != null && !closed) {
            out.respond(line, written, server.now());
            if (out.overflowing()) {
                shut(DisconnectReason.SLOW_READER);
            }
            flushSoon();
        }
    }

    @Override
    public CompletionStage<DeliveryResult> update(JobContext job, boolean clean, BooleanSupplier stillWanted) {
        Outbound out = outbound;
        if (out == null) {
            throw new IllegalStateException("the connection is not set up");
        }
        CompletionStage<DeliveryResult> result = out.update(job, clean, stillWanted, server.now());
        if (out.overflowing()) {
            shut(DisconnectReason.SLOW_READER);
        }
        flushSoon();
        return result;
    }

    private void flushSoon() {
        flushDue = true;
        if (!reading) {
            flushNow();
        }
    }

    private void flushNow() {
        ChannelHandlerContext ctx = context;
        if (flushDue && ctx != null && !closed) {
            flushDue = false;
            ctx.flush();
            finishClosing();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (outbound != null && !closed) {
            outbound.drain(server.now());
            flushDue = true;
            flushNow();
        }
    }

    /** Completes when the socket is closed. */
    Optional<ChannelFuture> closeFuture() {
        return Optional.ofNullable(context).map(ctx -> ctx.channel().closeFuture());
    }

    /** Looks at the limits in time; called about once a second. */
    void tick(long nowNanos) {
        Duration handshake = server.config().connections().handshakeTimeout();
        boolean late = !handshake.isZero() && nowNanos - acceptedNanos > handshake.toNanos();
        if (late && !session.ready()) {
            shut(DisconnectReason.HANDSHAKE_TIMEOUT);
        } else if (outbound != null
                && outbound.stuck(
                        nowNanos, server.config().connections().sendTimeout().toNanos())) {
            shut(DisconnectReason.SLOW_READER);
        } else if (closingFor != null && nowNanos - closingSinceNanos > DRAIN_LIMIT) {
            shut(closingFor);
        } else {
            finishClosing();
        }
    }

    @Override
    public void resume() {
        if (!pumping && !closed) {
            if (reading) {
                pump();
            } else {
                reading = true;
                pump();
                reading = false;
                flushNow();
            }
        }
    }

    @Override
    public boolean execute(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return true;
        }
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException loopEnded) {
            return false;
        }
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close(DisconnectReason reason) {
        execute(() -> shut(reason));
    }

    @Override
    public void closeAfterWrites(DisconnectReason reason) {
        if (closingFor == null) {
            closingFor = reason;
            closingSinceNanos = server.now();
            flushSoon();
        }
    }

    /** Ends a connection whose last words are written; what a commit still owes the miner belongs to them. */
    private void finishClosing() {
        if (closingFor != null && outbound != null && outbound.empty() && !session.owesAnswers()) {
            shut(closingFor);
        }
    }

    private void shut(DisconnectReason reason) {
        if (closed) {
            return;
        }
        closed = true;
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            ctx.close();
        }
        if (outbound != null) {
            outbound.close();
        }
        if (received != null && !pumping) {
            received.release();
            received = null;
        }
        loopState.channels.remove(this);
        if (address != null) {
            server.admission().leaveAddress(address);
        }
        session.closed();
        server.closed(this, extranonce1, reason);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        shut(closingFor == null ? DisconnectReason.PEER : closingFor);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        boolean network = cause instanceof IOException || cause.getCause() instanceof SSLException;
        if (!network) {
            LOG.atError()
                    .setCause(cause)
                    .addKeyValue("connection", session.id())
                    .log("connection failed unexpectedly");
        }
        shut(network ? DisconnectReason.PEER : DisconnectReason.INTERNAL);
    }
}

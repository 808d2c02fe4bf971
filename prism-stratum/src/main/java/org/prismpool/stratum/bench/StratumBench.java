package org.prismpool.stratum.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.prismpool.lifecycle.time.CancelSignal;

/**
 * Measures the server over loopback sockets: submit rate and latency, heap of idle connections, a reconnect storm and the
 * fan-out of one job beside stalled readers. Server and clients share the machine and the process, so that the figures are
 * lower bounds. Blocks for the time of its configuration and a few seconds more; needs two descriptors for each connection.
 */
public final class StratumBench {

    /** Beginning of the names of the clients' threads. */
    static final String CLIENT_THREADS = "prism-stratum-bench";

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int HEAP_SAMPLES = 5; // the smallest counts
    private static final int SPARE_DESCRIPTORS = 200;

    private final BenchConfig config;
    private final FanoutRounds rounds = new FanoutRounds();

    /**
     * Creates a benchmark.
     *
     * @param config what to do
     */
    public StratumBench(BenchConfig config) {
        this.config = config;
    }

    /** A client and its channel. */
    private record Client(Channel channel, BenchMiner miner, long startNanos) {}

    /**
     * Runs all measurements.
     *
     * @return the figures
     * @throws InterruptedException if interrupted
     * @throws IOException if sockets run out
     * @throws IllegalStateException if the process may not open enough files; the message says how many it needs
     */
    public BenchReport run() throws InterruptedException, IOException {
        requireDescriptors();
        long idleBytes = measureIdleHeap();
        Latencies submits = new Latencies();
        double rate = measureSubmits(submits);
        Latencies firstJobs = new Latencies();
        try (BenchPool pool = BenchPool.started(config.stormConnections() + config.stalledReaders())) {
            EventLoopGroup group = clients();
            try {
                List<Client> storm = storm(pool, group);
                int served = awaitFirstJobs(storm, firstJobs);
                Fanout.Times fanout = new Fanout(pool, storm.size(), rounds, LIMIT).measure(config.stalledReaders());
                return new BenchReport(
                        rate,
                        submits.percentileNanos(50) / 1e3,
                        submits.percentileNanos(99) / 1e3,
                        idleBytes,
                        served,
                        storm.size() - served,
                        pool.server.stats().peakConnections(),
                        firstJobs.percentileNanos(99) / 1e6,
                        fanout.lastMillis(),
                        fanout.worstMillis(),
                        fanout.serverMillis(),
                        fanout.clientsMillis());
            } finally {
                end(group);
            }
        }
    }

    private void requireDescriptors() {
        long needed = 2L * (config.stormConnections() + config.stalledReaders()) + SPARE_DESCRIPTORS;
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < needed) {
            throw new IllegalStateException("this run needs " + needed + " open files but the process may open only "
                    + system.getMaxFileDescriptorCount() + "; raise the limit (ulimit -n) or measure less");
        }
    }

    private static EventLoopGroup clients() {
        return new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory(CLIENT_THREADS, true),
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    private static void end(EventLoopGroup group) {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    private static ChannelFuture connect(EventLoopGroup group, int port, BenchMiner miner) {
        return new Bootstrap()
                .group(group)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(4096))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(miner);
                    }
                })
                .connect("127.0.0.1", port);
    }

    private double measureSubmits(Latencies latencies) throws InterruptedException {
        try (BenchPool pool = BenchPool.started(config.submitters())) {
            EventLoopGroup group = clients();
            try {
                List<Client> clients = new ArrayList<>();
                for (int i = 0; i < config.submitters(); i++) {
                    BenchMiner miner = new BenchMiner(pool.username, i, latencies, rounds);
                    Channel channel = connect(group, pool.port(), miner).sync().channel();
                    clients.add(new Client(channel, miner, System.nanoTime()));
                }
                awaitFirstJobs(clients, new Latencies());
                for (Client client : clients) {
                    ChannelHandlerContext context = client.channel().pipeline().context(client.miner());
                    client.channel().eventLoop().execute(() -> client.miner().submit(context));
                }
                LockSupport.parkNanos(config.submitTime().toNanos() / 2); // until the hot code is compiled
                latencies.clear();
                long start = System.nanoTime();
                LockSupport.parkNanos(config.submitTime().toNanos());
                clients.forEach(client -> client.miner().stop());
                return latencies.count() / ((System.nanoTime() - start) / 1e9);
            } finally {
                end(group);
            }
        }
    }

    private List<Client> storm(BenchPool pool, EventLoopGroup group) {
        List<Client> storm = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < config.stormConnections(); i++) {
            long due = start + config.stormTime().toNanos() / config.stormConnections() * i;
            while (due - System.nanoTime() > 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            BenchMiner miner = new BenchMiner(pool.username, i, new Latencies(), rounds);
            ChannelFuture future = connect(group, pool.port(), miner);
            future.addListener(done -> {
                if (!done.isSuccess()) {
                    miner.firstJob.completeExceptionally(done.cause());
                }
            });
            storm.add(new Client(future.channel(), miner, System.nanoTime()));
        }
        return storm;
    }

    private static int awaitFirstJobs(List<Client> clients, Latencies times) throws InterruptedException {
        int served = 0;
        long deadline = System.nanoTime() + LIMIT.toNanos();
        for (Client client : clients) {
            long left = Math.max(1, deadline - System.nanoTime());
            try {
                times.add(client.miner().firstJob.get(left, TimeUnit.NANOSECONDS) - client.startNanos());
                served++;
            } catch (ExecutionException | TimeoutException failed) {
                times.add(LIMIT.toNanos());
            }
        }
        return served;
    }

    /** Clients wait in the backlog first, so that their own heap is not counted. */
    private long measureIdleHeap() throws InterruptedException, IOException {
        idleHeap(10, 1); // loads what is loaded once
        return idleHeap(config.idleConnections(), HEAP_SAMPLES);
    }

    private static long idleHeap(int connections, int samples) throws InterruptedException, IOException {
        try (BenchPool pool = new BenchPool(connections)) {
            pool.server.bind(CancelSignal.never());
            List<SocketChannel> channels = new ArrayList<>();
            try {
                for (int i = 0; i < connections; i++) {
                    channels.add(Fanout.login(pool, 16384));
                }
                long before = usedHeap(samples);
                pool.server.start();
                Fanout.awaitAuthorized(pool, channels.size(), LIMIT);
                long after = usedHeap(samples);
                return (after - before) / connections;
            } finally {
                for (SocketChannel channel : channels) {
                    channel.close();
                }
            }
        }
    }

    private static long usedHeap(int samples) {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < samples; i++) {
            System.gc();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }

    /**
     * Runs the full benchmark and prints its report.
     *
     * @param args {@code quick} for a short run
     * @throws InterruptedException if interrupted
     * @throws IOException if sockets run out
     */
    public static void main(String[] args) throws InterruptedException, IOException {
        boolean quick = args.length > 0 && args[0].equals("quick");
        System.out.print(new StratumBench(quick ? BenchConfig.quick() : BenchConfig.full())
                .run()
                .text());
    }
}

package org.prismpool.stratum.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.prismpool.stratum.JobPurpose;

/** Sends one job after the other to many clients beside readers whose socket buffers are full. */
final class Fanout {

    private static final int WARM_UP_ROUNDS = 15; // compile the code and are not counted
    private static final int ROUNDS = 25;
    private static final int STALLING_REQUESTS = 2000; // half of what a reader may leave unread

    private final BenchPool pool;
    private final int healthy;
    private final FanoutRounds rounds;
    private final Duration limit;

    /**
     * What the rounds took.
     *
     * @param lastMillis time until the last healthy client had the job, median of the rounds
     * @param worstMillis the slowest round
     * @param serverMillis processor time of the server's event loops in the median round
     * @param clientsMillis processor time of the clients' event loop in it
     */
    record Times(double lastMillis, double worstMillis, double serverMillis, double clientsMillis) {}

    /** One round; infinite if a client did not get the job. */
    private record Round(double lastMillis, double serverMillis, double clientsMillis) {}

    Fanout(BenchPool pool, int healthy, FanoutRounds rounds, Duration limit) {
        this.pool = pool;
        this.healthy = healthy;
        this.rounds = rounds;
        this.limit = limit;
    }

    /** Measures beside so many readers that read nothing. */
    Times measure(int stalledReaders) throws InterruptedException, IOException {
        List<SocketChannel> stalled = new ArrayList<>();
        try {
            for (int i = 0; i < stalledReaders; i++) {
                stalled.add(stall(login(pool, 2048)));
            }
            awaitAuthorized(pool, healthy + stalled.size(), limit);
            ProcessorTime server = new ProcessorTime("prism-stratum-io");
            ProcessorTime clients = new ProcessorTime(StratumBench.CLIENT_THREADS);
            for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                round(server, clients);
            }
            List<Round> taken = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                taken.add(round(server, clients));
            }
            taken.sort(Comparator.comparingDouble(Round::lastMillis));
            Round median = taken.get(ROUNDS / 2);
            return new Times(
                    median.lastMillis(),
                    taken.get(ROUNDS - 1).lastMillis(),
                    median.serverMillis(),
                    median.clientsMillis());
        } finally {
            for (SocketChannel channel : stalled) {
                channel.close();
            }
        }
    }

    private Round round(ProcessorTime server, ProcessorTime clients) throws InterruptedException {
        FanoutRound round = rounds.begin(healthy);
        long serverBefore = server.nanos();
        long clientsBefore = clients.nanos();
        long start = System.nanoTime();
        pool.jobs.publish(JobPurpose.NEW_WORK);
        OptionalLong last = round.lastArrival(limit);
        double millis = last.isPresent() ? (last.getAsLong() - start) / 1e6 : Double.POSITIVE_INFINITY;
        return new Round(millis, (server.nanos() - serverBefore) / 1e6, (clients.nanos() - clientsBefore) / 1e6);
    }

    /** Waits until so many sessions are authorized, or the limit has passed. */
    static void awaitAuthorized(BenchPool pool, int count, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (pool.server.stats().authorized() < count && deadline - System.nanoTime() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Connects and logs in without reading the answers. */
    static SocketChannel login(BenchPool pool, int receiveBuffer) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
        channel.connect(new InetSocketAddress("127.0.0.1", pool.port()));
        String login = "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[\"bench\"]}\n"
                + "{\"id\":2,\"method\":\"mining.authorize\",\"params\":[\"" + pool.username + "\",\"x\"]}\n";
        channel.write(ByteBuffer.wrap(login.getBytes(StandardCharsets.ISO_8859_1)));
        return channel;
    }

    /** Asks for more answers than the socket's buffers hold, and reads none of them. */
    private static SocketChannel stall(SocketChannel channel) throws IOException {
        String request = "{\"id\":\"" + "x".repeat(200) + "\",\"method\":\"mining.extranonce.subscribe\"}\n";
        ByteBuffer requests = ByteBuffer.wrap(request.repeat(STALLING_REQUESTS).getBytes(StandardCharsets.ISO_8859_1));
        while (requests.hasRemaining()) {
            channel.write(requests);
        }
        return channel;
    }
}

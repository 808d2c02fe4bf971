package org.prismpool.sharewriter.postgres;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;

/** What this side of the connection does for a share that is read. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ShareRowsBenchmark {

    private static final int ROWS = 1024;
    private static final int MINERS = 500;
    private static final long SERVER_EPOCH_MS = 946_684_800_000L;
    private static final BigInteger BASE = BigInteger.valueOf(10_000);
    private static final BigInteger NETWORK = new BigInteger("86812541144089706339356132");

    private final List<byte[]> messages = new ArrayList<>();

    @Setup
    public void make() {
        for (int i = 0; i < ROWS; i++) {
            messages.add(message(1L + i, share(i)));
        }
    }

    private static PendingShare share(int number) {
        String address = String.format("qb1z%058d", number % MINERS);
        return new PendingShare(
                address + ".rig:" + String.format("%064x", number),
                address,
                address,
                P2mrProgram.ofHex(String.format("%064x", number % MINERS)),
                BigInteger.valueOf(1024),
                NETWORK,
                100,
                "prism-1a2b3c4d-7",
                1_700_000_000_000L,
                1_700_000_000_001L + number,
                1_700_000_000L,
                CreditPolicy.CURRENT);
    }

    /** The server's binary form of a row of {@link ShareDecoder#COLUMNS}. */
    private static byte[] message(long sequence, PendingShare share) {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        out.writeShort(13);
        number(out, sequence);
        bytes(out, share.shareId().getBytes(StandardCharsets.UTF_8));
        bytes(out, share.minerId().getBytes(StandardCharsets.UTF_8));
        out.writeInt(-1);
        bytes(out, share.program().bytes());
        numeric(out, share.shareDifficulty());
        numeric(out, share.networkDifficulty());
        number(out, share.templateHeight());
        bytes(out, share.jobId().getBytes(StandardCharsets.UTF_8));
        number(out, (share.jobIssuedAtMs() - SERVER_EPOCH_MS) * 1000);
        number(out, (share.acceptedAtMs() - SERVER_EPOCH_MS) * 1000);
        number(out, share.ntime());
        out.writeInt(-1);
        return out.toByteArray();
    }

    private static void numeric(ByteArrayDataOutput out, BigInteger value) {
        List<Integer> digits = new ArrayList<>();
        for (BigInteger rest = value; rest.signum() > 0; rest = rest.divide(BASE)) {
            digits.add(0, rest.mod(BASE).intValueExact());
        }
        out.writeInt(8 + 2 * digits.size());
        out.writeShort(digits.size());
        out.writeShort(digits.size() - 1);
        out.writeInt(0); // sign and scale
        digits.forEach(out::writeShort);
    }

    private static void bytes(ByteArrayDataOutput out, byte[] value) {
        out.writeInt(value.length);
        out.write(value);
    }

    private static void number(ByteArrayDataOutput out, long value) {
        out.writeInt(Long.BYTES);
        out.writeLong(value);
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public void readShare(Blackhole read) {
        ShareDecoder decoder = new ShareDecoder();
        for (byte[] message : messages) {
            read.consume(decoder.decode(message, 0));
        }
    }
}

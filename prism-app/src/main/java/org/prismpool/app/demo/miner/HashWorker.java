package org.prismpool.app.demo.miner;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One hashing thread: takes work, walks nonces, hands every share to the session it belongs to. */
final class HashWorker implements Runnable {

    private static final int BATCH = 1024;

    private final WorkBoard board;
    private final MinerCounters counters;
    private final CountDownLatch closing;
    private final long hashesPerSecondLimit;
    private final DoubleSha256 hasher = new DoubleSha256();
    private final byte[] hash = new byte[32];

    /** @param hashesPerSecondLimit bound for this one thread; 0 means none */
    HashWorker(WorkBoard board, MinerCounters counters, CountDownLatch closing, long hashesPerSecondLimit) {
        this.board = board;
        this.counters = counters;
        this.closing = closing;
        this.hashesPerSecondLimit = hashesPerSecondLimit;
    }

    @Override
    public void run() {
        try {
            while (closing.getCount() > 0) {
                Optional<MiningWork> work = board.awaitWork();
                if (work.isPresent()) {
                    searchOneUnit(work.get());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Walks all nonces of one extranonce2 until the work is replaced. */
    private void searchOneUnit(MiningWork work) throws InterruptedException {
        StratumSession session = work.session();
        long unit = session.nextUnit();
        byte[] extranonce2 = extranonce2(unit, session.extranonce2Size());
        int versionBits = VersionBits.deposit(unit, session.versionMask());
        byte[] header = work.assembly().header(extranonce2, versionBits, hasher);
        long nonce = 0;
        while (nonce <= 0xffffffffL && board.isCurrent(work) && closing.getCount() > 0) {
            long started = System.nanoTime();
            int count = batchSize(nonce);
            for (int i = 0; i < count; i++, nonce++) {
                HeaderAssembly.putLittleEndian(header, HeaderAssembly.NONCE_OFFSET, (int) nonce);
                hasher.hash(header, hash);
                if (work.shareThreshold().isMetBy(hash)) {
                    if (session.isVoid(work)) {
                        return;
                    }
                    boolean block = work.networkThreshold().isMetBy(hash);
                    session.submit(new FoundShare(
                            work.job(), HexFormat.of().formatHex(extranonce2), (int) nonce, versionBits, block));
                }
            }
            counters.hashed(count);
            pace(count, started);
        }
    }

    private int batchSize(long nonce) {
        long wanted = hashesPerSecondLimit == 0 ? BATCH : Math.max(1, Math.min(BATCH, hashesPerSecondLimit / 10));
        return (int) Math.min(wanted, 0x1_0000_0000L - nonce);
    }

    private void pace(int count, long started) throws InterruptedException {
        if (hashesPerSecondLimit > 0) {
            long due = TimeUnit.SECONDS.toNanos(count) / hashesPerSecondLimit;
            long left = due - (System.nanoTime() - started);
            if (left > 0 && closing.await(left, TimeUnit.NANOSECONDS)) {
                return;
            }
        }
    }

    private static byte[] extranonce2(long unit, int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) 0);
        long left = unit;
        for (int i = size - 1; i >= 0 && left != 0; i--, left >>>= 8) {
            bytes[i] = (byte) left;
        }
        return bytes;
    }
}

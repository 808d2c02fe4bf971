package org.prismpool.app.bench.jobs;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Sha256d;

/** A past for a ledger: shares that fill one reward window of the test chain exactly. Stateless. */
public final class SyntheticShares {

    private static final BigInteger NETWORK_DIFFICULTY = BigInteger.valueOf(1_000_000); // scaled, of the easiest chain
    private static final long WINDOW_WEIGHTS = 16;
    private static final int BATCH = 1000;
    private static final long SPACING_MS = 10;

    private SyntheticShares() {}

    /** Payout address of a miner, counted from 0. */
    public static P2mrAddress miner(int number) {
        byte[] program = Sha256d.digest(("bench-miner-" + number).getBytes(StandardCharsets.US_ASCII));
        return P2mrAddress.of(Network.REGTEST, program);
    }

    /**
     * Appends shares, the newest a second old.
     *
     * @param ledger empty
     * @param count how many, 1 or more
     * @param miners among how many miners they are dealt out, 1 or more
     * @param nowMs Unix milliseconds
     */
    public static void append(ShareLedger ledger, int count, int miners, long nowMs) {
        BigInteger difficulty = NETWORK_DIFFICULTY
                .multiply(BigInteger.valueOf(WINDOW_WEIGHTS))
                .divide(BigInteger.valueOf(count))
                .max(BigInteger.ONE);
        List<PendingShare> shares = new ArrayList<>();
        long first = nowMs - 1000 - count * SPACING_MS;
        for (int i = 0; i < count; i++) {
            P2mrAddress miner = miner(i % miners);
            long at = first + i * SPACING_MS;
            shares.add(new PendingShare(
                    String.format(Locale.ROOT, "%064x", i + 1),
                    miner.text(),
                    miner.text(),
                    P2mrProgram.of(miner.program()),
                    difficulty,
                    NETWORK_DIFFICULTY,
                    1,
                    "bench-" + i,
                    at,
                    at,
                    at / 1000,
                    CreditPolicy.CURRENT));
        }
        for (int from = 0; from < count; from += BATCH) {
            ledger.append(shares.subList(from, Math.min(count, from + BATCH)).stream()
                    .map(AppendEntry::share)
                    .toList());
        }
    }
}

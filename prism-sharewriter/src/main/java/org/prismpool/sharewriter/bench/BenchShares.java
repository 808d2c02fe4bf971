package org.prismpool.sharewriter.bench;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;

/** Shares with ids, addresses and numbers as long as real ones; no two have the same id. Confined to one thread. */
final class BenchShares {

    private static final int MINERS = 500;
    private static final long SPREAD = 0x9e3779b97f4a7c15L; // hashes fall anywhere in an index, as real ones do
    private static final BigInteger NETWORK = new BigInteger("86812541144089706339356132");

    private final long issuedMs;
    private long next;

    BenchShares(long issuedMs) {
        this.issuedMs = issuedMs;
    }

    List<PendingShare> make(int count) {
        return make(count, issuedMs + 1);
    }

    List<PendingShare> make(int count, long acceptedMs) {
        List<PendingShare> shares = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            shares.add(share(acceptedMs));
        }
        return shares;
    }

    private PendingShare share(long acceptedMs) {
        long number = next++;
        int miner = (int) (number % MINERS);
        String address = String.format("qb1z%058d", miner);
        String hash = String.format("%016x%048x", number * SPREAD, number);
        return new PendingShare(
                address + ".rig" + (miner % 7) + ":" + hash,
                address,
                address,
                P2mrProgram.ofHex(String.format("%064x", miner)),
                BigInteger.ONE,
                NETWORK,
                100,
                "prism-1a2b3c4d-" + (number / 1000),
                issuedMs,
                acceptedMs,
                1_700_000_000L,
                CreditPolicy.CURRENT);
    }

    static List<AppendEntry> entries(List<PendingShare> shares) {
        return shares.stream().map(AppendEntry::share).toList();
    }
}

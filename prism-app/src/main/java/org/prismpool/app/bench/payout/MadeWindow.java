package org.prismpool.app.bench.payout;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowShare;

/**
 * A window made up for a measurement: every share counts and every miner is paid. The same arguments give the same shares.
 * For one thread.
 */
final class MadeWindow {

    private static final long START_MS = 1_700_000_000_000L;
    private static final int ADDRESS_DIGITS = 58;
    private static final long SEED = 7;
    private static final long REWARD_SATS = 21_000_000_000L;
    private static final Name SHARES = Name.of("shares");
    private static final Name FOUND_BLOCK = Name.of("found_block");

    private final Random random = new Random(SEED); // the shape of the data, not a secret
    private final List<PayoutIdentity> miners = new ArrayList<>();
    private final List<WindowShare> shares;
    private final U128 networkDifficulty;
    private final boolean ledgerIds;

    /**
     * Makes a window.
     *
     * @param count number of shares, 1 or more
     * @param minerCount number of miners, at most the shares
     * @param ledgerIds share ids as the ledger has them, address and block hash; otherwise short ones
     */
    MadeWindow(int count, int minerCount, boolean ledgerIds) {
        this.ledgerIds = ledgerIds;
        IdentityPool identities = new IdentityPool();
        for (int i = 0; i < minerCount; i++) {
            String program = hex();
            String address = "qb1z" + program.substring(0, ADDRESS_DIGITS);
            miners.add(identities.identity(address, address, program));
        }
        List<WindowShare> made = new ArrayList<>(count);
        long weight = 0;
        for (int seq = 1; seq <= count; seq++) {
            WindowShare share = share(seq, miners.get(seq <= minerCount ? seq - 1 : random.nextInt(minerCount)));
            weight += share.shareDifficulty().low();
            made.add(share);
        }
        shares = List.copyOf(made);
        networkDifficulty = U128.ofUnsigned(Math.max(1, weight / RewardWindow.MULTIPLIER));
    }

    List<WindowShare> shares() {
        return shares;
    }

    U128 networkDifficulty() {
        return networkDifficulty;
    }

    /** Makes further shares after a sequence. */
    List<WindowShare> next(long afterSeq, int count) {
        List<WindowShare> next = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            next.add(share(afterSeq + i, miners.get(random.nextInt(miners.size()))));
        }
        return next;
    }

    /** The block that a window ending with a sequence is paid by; every number gives another value. */
    FoundBlock block(long lastSeq, int number) {
        return new FoundBlock(101, REWARD_SATS + number, networkDifficulty, anchorMs(lastSeq));
    }

    long anchorMs(long lastSeq) {
        return START_MS + lastSeq;
    }

    AuditBuildInput input(int number) {
        return new AuditBuildInput(shares, BlockTerms.of(block(shares.size(), number)));
    }

    /** Writes the build input that the command line reads. */
    void write(CanonicalWriter out) {
        out.beginObject();
        out.members(SHARES, shares, share -> share.write(out));
        out.name(FOUND_BLOCK);
        block(shares.size(), 0).write(out);
        out.endObject();
        out.finishLine();
    }

    private WindowShare share(long seq, PayoutIdentity miner) {
        long time = anchorMs(seq);
        return new WindowShare(
                seq,
                ledgerIds ? miner.recipientId() + ":" + hex() : "share-" + seq,
                miner,
                U128.ofUnsigned(1000 + random.nextInt(1000)),
                U128.ONE,
                100,
                "prism-1-" + seq / 50,
                time,
                time,
                time / 1000,
                Optional.empty());
    }

    private String hex() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}

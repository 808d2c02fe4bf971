package org.prismpool.app.bench.payout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.RewardManifest;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.IncrementalWindow;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowAdvance;
import org.prismpool.payout.window.WindowShare;

/** Measures what the coordinator does in its own process. For one thread. */
final class InProcess {

    private static final int CHANGED = 1000;
    private static final long SLICE_RECORD = 72; // bytes of a digest record besides its texts and their lengths
    private static final long TEXT_LENGTHS = 24;

    private final MadeWindow window;
    private final int rounds;
    private final Duration warmUp;
    private final LongSupplier nanoTime;
    private final AuditBundleBuilder builder = new AuditBundleBuilder(
            SigningSeed.of(HexFormat.of().parseHex("42".repeat(SigningSeed.SIZE))),
            SigningSeed.of(HexFormat.of().parseHex("43".repeat(SigningSeed.SIZE))));
    private int number;

    InProcess(MadeWindow window, int rounds, Duration warmUp, LongSupplier nanoTime) {
        this.window = window;
        this.rounds = rounds;
        this.warmUp = warmUp;
        this.nanoTime = nanoTime;
    }

    /** One measured run; prepares what it needs before it starts the clock. */
    @FunctionalInterface
    private interface Round {
        long nanos();
    }

    List<Figure> measure() {
        int shares = window.shares().size();
        List<Figure> figures = new ArrayList<>();
        figures.add(figure("job summary, fresh window", summaryTarget(shares), this::fresh));
        RewardWindow known = RewardWindow.of(window.shares(), window.block(shares, 0));
        figures.add(figure("job summary, known window, new template", summaryTarget(shares), () -> known(known)));
        IncrementalWindow incremental = IncrementalWindow.rescanned(
                window.shares(),
                new IncrementalWindow.Origin(window.networkDifficulty(), window.anchorMs(shares), 0),
                true);
        long[] last = {shares};
        figures.add(figure(
                "window and payouts after " + CHANGED + " new shares",
                OptionalLong.of(15),
                () -> advance(incremental, last, false)));
        figures.add(figure(
                "job summary after " + CHANGED + " new shares",
                OptionalLong.of(15),
                () -> advance(incremental, last, true)));
        byte[] hashed = new byte[(int) Math.min(Integer.MAX_VALUE - 8, hashedBytes(known))];
        figures.add(figure("SHA-256 of as many bytes, nothing else", OptionalLong.empty(), () -> {
            long began = nanoTime.getAsLong();
            Sha256.hash(hashed);
            return nanoTime.getAsLong() - began;
        }));
        return figures;
    }

    private static OptionalLong summaryTarget(int shares) {
        return switch (shares) {
            case 100_000 -> OptionalLong.of(100);
            case 400_000 -> OptionalLong.of(400);
            default -> OptionalLong.empty();
        };
    }

    private Figure figure(String name, OptionalLong targetMillis, Round round) {
        // Lets the compiler of the virtual machine settle: by rounds for long paths, by time for short ones.
        long began = nanoTime.getAsLong();
        for (int i = 0; i < rounds || nanoTime.getAsLong() - began < warmUp.toNanos(); i++) {
            round.nanos();
        }
        long[] nanos = new long[rounds];
        for (int i = 0; i < rounds; i++) {
            nanos[i] = round.nanos();
        }
        return Figure.of(name, nanos, targetMillis);
    }

    private long fresh() {
        number++;
        long began = nanoTime.getAsLong();
        builder.summarize(window.input(number));
        return nanoTime.getAsLong() - began;
    }

    private long known(RewardWindow known) {
        number++;
        BlockTerms terms = BlockTerms.of(window.block(window.shares().size(), number));
        long began = nanoTime.getAsLong();
        builder.summarize(known, terms);
        return nanoTime.getAsLong() - began;
    }

    private long advance(IncrementalWindow incremental, long[] last, boolean summary) {
        List<WindowShare> next = window.next(last[0], CHANGED);
        last[0] += CHANGED;
        FoundBlock block = window.block(last[0], 0);
        IncrementalWindow.Origin origin =
                new IncrementalWindow.Origin(window.networkDifficulty(), block.anchorJobIssuedAtMs(), 0);
        long began = nanoTime.getAsLong();
        if (!(incremental.advance(next, origin) instanceof WindowAdvance.Advanced)) {
            throw new IllegalStateException("the window asks for a rescan");
        }
        RewardWindow advanced = incremental.rewardWindow(block);
        if (summary) {
            builder.summarize(advanced, BlockTerms.of(block));
        } else {
            PayoutPolicyManifest.of(block, advanced.entitlements(), List.of(), PayoutPolicy.DAY_ONE);
        }
        return nanoTime.getAsLong() - began;
    }

    /** Bytes that the two digests of a summary run over. */
    private static long hashedBytes(RewardWindow known) {
        long[] bytes = {0};
        CanonicalWriter out = CanonicalWriter.compact((block, offset, length) -> bytes[0] += length);
        RewardManifest.of(known).write(out);
        out.flush();
        known.countedShares()
                .forEach(share -> bytes[0] += SLICE_RECORD
                        + TEXT_LENGTHS
                        + share.shareId().length()
                        + share.identity().recipientId().length()
                        + share.identity().orderKey().length()
                        + share.identity().programHex().length());
        return bytes[0];
    }
}

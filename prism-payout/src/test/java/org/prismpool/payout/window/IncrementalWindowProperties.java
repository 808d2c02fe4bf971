package org.prismpool.payout.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.U128;

class IncrementalWindowProperties {

    private static final IdentityPool POOL = new IdentityPool();

    /** Random advances over a window of changing width; after each the derived window must equal a fresh one. */
    @Property(tries = 30)
    void anAdvancedWindowHasTheBytesOfAFreshOne(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 400) int difficulty, @ForAll boolean keepEncoded) {
        U128 networkDifficulty = U128.ofUnsigned(difficulty * 40L);
        Ledger ledger = new Ledger(random);
        ledger.grow(random.nextInt(1500) + 1);
        IncrementalWindow window =
                IncrementalWindow.rescanned(ledger.upTo(0), origin(networkDifficulty, ledger.now()), keepEncoded);
        for (int round = 0; round < 6; round++) {
            long before = window.anchorMs();
            ledger.grow(random.nextInt(round == 3 ? 3000 : 300));
            WindowAdvance advance = window.advance(ledger.upTo(before), origin(networkDifficulty, ledger.now()));

            assertThat(advance).isInstanceOf(WindowAdvance.Advanced.class);
            FoundBlock block = new FoundBlock(100 + round, 5_000_000, networkDifficulty, ledger.now());
            expectSame(window.rewardWindow(block), RewardWindow.of(ledger.upTo(0), block));
            expectSame(window.rewardWindow(block), RewardWindow.of(window.shares(), block));
        }
    }

    private static void expectSame(RewardWindow actual, RewardWindow fresh) {
        assertThat(actual.sliceDigestHex()).isEqualTo(fresh.sliceDigestHex());
        assertThat(actual.entitlements()).isEqualTo(fresh.entitlements());
        assertThat(actual.countedWeight()).isEqualTo(fresh.countedWeight());
        assertThat(actual.shareCount()).isEqualTo(fresh.shareCount());
        assertThat(actual.oldestShareSeq()).isEqualTo(fresh.oldestShareSeq());
        assertThat(actual.newestShareSeq()).isEqualTo(fresh.newestShareSeq());
        assertThat(bytes(actual)).isEqualTo(bytes(fresh));
        assertThat(actual.countedShares()).isEqualTo(fresh.countedShares());
    }

    private static byte[] bytes(RewardWindow window) {
        return CanonicalWriter.bytesOf(out -> {
            out.beginArray();
            window.writeCountedShares(out);
            out.endArray();
        });
    }

    /** The snapshot holds what a full read would: the newest whole shares up to sixteen times the difficulty. */
    @Property(tries = 25)
    void anAdvancedSnapshotHoldsTheSharesOfAFullRescan(@ForAll Random random) {
        U128 networkDifficulty = U128.ofUnsigned(500);
        Ledger ledger = new Ledger(random);
        ledger.grow(600);
        IncrementalWindow window =
                IncrementalWindow.rescanned(ledger.upTo(0), origin(networkDifficulty, ledger.now()), false);
        long before = window.anchorMs();
        ledger.grow(random.nextInt(700));

        window.advance(ledger.upTo(before), origin(networkDifficulty, ledger.now()));

        IncrementalWindow rescanned =
                IncrementalWindow.rescanned(ledger.upTo(0), origin(networkDifficulty, ledger.now()), false);
        assertThat(window.shares()).isEqualTo(rescanned.shares());
        assertThat(WindowDigest.of(window.shares())).isEqualTo(WindowDigest.of(rescanned.shares()));
    }

    @Example
    void whatCannotBeFoldedInAsksForARescanAndChangesNothing() {
        U128 difficulty = U128.ofUnsigned(1000);
        Ledger ledger = new Ledger(new Random(1));
        ledger.grow(50);
        long anchor = ledger.now();
        IncrementalWindow window = IncrementalWindow.rescanned(ledger.upTo(0), origin(difficulty, anchor), false);
        WindowShare last = window.shares().get(window.size() - 1);
        WindowShare next = share(last.shareSeq() + 1, "next", 5, anchor + 1);

        expectRescan(window, List.of(), origin(difficulty, anchor - 1), WindowAdvance.Reason.ANCHOR_MOVED_BACKWARDS);
        expectRescan(
                window, List.of(), origin(U128.ofUnsigned(1001), anchor), WindowAdvance.Reason.WINDOW_WEIGHT_CHANGED);
        expectRescan(
                window,
                List.of(share(last.shareSeq(), "same-seq", 5, anchor + 1)),
                origin(difficulty, anchor + 1),
                WindowAdvance.Reason.SEQUENCE_NOT_INCREASING);
        expectRescan(
                window,
                List.of(share(last.shareSeq() + 1, "zero", 0, anchor + 1)),
                origin(difficulty, anchor + 1),
                WindowAdvance.Reason.DIFFICULTY_NOT_POSITIVE);
        expectRescan(window, List.of(next), origin(difficulty, anchor), WindowAdvance.Reason.NOT_ELIGIBLE);
        expectRescan(
                window,
                List.of(share(last.shareSeq() + 1, "late", 5, anchor)),
                origin(difficulty, anchor + 1),
                WindowAdvance.Reason.ALREADY_ELIGIBLE);
        expectRescan(
                window,
                List.of(next, share(last.shareSeq() + 2, last.shareId(), 5, anchor + 1)),
                origin(difficulty, anchor + 1),
                WindowAdvance.Reason.DUPLICATE_SHARE_ID);
        expectRescan(
                window,
                List.of(next),
                new IncrementalWindow.Origin(difficulty, anchor + 1, 1),
                WindowAdvance.Reason.APPEND_EPOCH_CHANGED);
        FoundBlock block = new FoundBlock(1, 5_000_000, difficulty, anchor);
        expectSame(window.rewardWindow(block), RewardWindow.of(ledger.upTo(0), block));

        assertThat(window.advance(List.of(next), origin(difficulty, anchor + 1)))
                .isEqualTo(new WindowAdvance.Advanced(1, 0));
        window.invalidate();
        expectRescan(window, List.of(), origin(difficulty, anchor + 2), WindowAdvance.Reason.INVALIDATED);
    }

    private static void expectRescan(
            IncrementalWindow window,
            List<WindowShare> became,
            IncrementalWindow.Origin origin,
            WindowAdvance.Reason reason) {
        List<WindowShare> before = List.copyOf(window.shares());
        assertThat(window.advance(became, origin)).isEqualTo(new WindowAdvance.RescanNeeded(reason));
        assertThat(window.shares()).isEqualTo(before);
    }

    @Example
    void aWindowDeclaresItsOwnAnchor() {
        U128 difficulty = U128.ofUnsigned(10);
        Ledger ledger = new Ledger(new Random(2));
        ledger.grow(5);
        IncrementalWindow window = IncrementalWindow.rescanned(ledger.upTo(0), origin(difficulty, ledger.now()), false);

        assertThatThrownBy(() -> window.rewardWindow(new FoundBlock(1, 1, difficulty, ledger.now() + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static IncrementalWindow.Origin origin(U128 difficulty, long anchorMs) {
        return new IncrementalWindow.Origin(difficulty, anchorMs, 0);
    }

    private static WindowShare share(long seq, String id, long difficulty, long timeMs) {
        return new WindowShare(
                seq,
                id,
                POOL.identity("miner-" + seq % 7, "key", "11".repeat(32)),
                U128.ofUnsigned(difficulty),
                U128.ONE,
                1,
                "job",
                timeMs,
                timeMs,
                1,
                seq % 11 == 0 ? Optional.of("stale-grace") : Optional.empty());
    }

    /** A growing log of shares with random gaps, difficulties and miners. */
    private static final class Ledger {

        private final Random random;
        private final List<WindowShare> shares = new ArrayList<>();
        private long seq;
        private long now = 1000;

        Ledger(Random random) {
            this.random = random;
        }

        void grow(int count) {
            for (int i = 0; i < count; i++) {
                seq += 1 + (random.nextInt(10) == 0 ? random.nextInt(5) : 0);
                now += 1 + random.nextInt(3);
                shares.add(share(seq, "share-" + seq, 1 + random.nextInt(60), now));
            }
            now++;
        }

        long now() {
            return now;
        }

        List<WindowShare> upTo(long afterMs) {
            return shares.stream().filter(each -> each.acceptedAtMs() > afterMs).toList();
        }
    }
}

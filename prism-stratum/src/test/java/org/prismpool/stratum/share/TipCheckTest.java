package org.prismpool.stratum.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.prismpool.stratum.SharePolicy;
import org.prismpool.stratum.TipSnapshot;
import org.prismpool.stratum.share.TipCheck.TipWork;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Sha256d;

/** Spec 02 §7.3 and §7.4 as a pure function: acceptance 31, 37, 38 and traps 15 to 18. */
class TipCheckTest {

    private static final SharePolicy POLICY = SharePolicy.defaults();
    private static final Hash256 OLDER = hash(1);
    private static final Hash256 OLD = hash(2);
    private static final Hash256 TIP = hash(3);
    private static final Hash256 NEXT = hash(4);

    @Test
    void workOnThePublishedTipIsCurrent() {
        assertThat(check(published(0), 5).classify(TIP, false, POLICY)).isEqualTo(TipVerdict.CURRENT);
    }

    @Test
    void withoutGraceOldWorkIsStaleWithoutAsking() {
        SharePolicy none = POLICY.withStaleGrace(Duration.ZERO);

        assertThat(check(published(0), 5).classify(OLD, false, none)).isEqualTo(TipVerdict.STALE);
    }

    @Test
    void aDetectedTipLeavesThePublishedOneInChargeForTheLease() {
        assertThat(check(diverged(0, 0), 9).classify(TIP, false, POLICY)).isEqualTo(TipVerdict.CURRENT);
        assertThat(check(diverged(0, 0), 11).classify(TIP, false, POLICY)).isEqualTo(TipVerdict.CURRENT);
        assertThat(check(diverged(0, 0), 120).classify(TIP, false, POLICY)).isEqualTo(TipVerdict.CURRENT);
        assertThat(check(diverged(0, 0), 121).classify(TIP, false, POLICY)).isEqualTo(TipVerdict.NEEDS_TIP);
    }

    @Test
    void anOldConfirmationMakesTheNodesTipDecide() {
        TipCheck tired = check(published(0), 11);

        assertThat(check(published(0), 10).classify(TIP, false, POLICY)).isEqualTo(TipVerdict.CURRENT);
        assertThat(tired.classify(TIP, false, POLICY)).isEqualTo(TipVerdict.NEEDS_TIP);
        assertThat(tired.withLive(TIP).classify(TIP, false, POLICY)).isEqualTo(TipVerdict.CURRENT);
        assertThat(tired.withLive(NEXT).classify(TIP, false, POLICY)).isEqualTo(TipVerdict.STALE);
    }

    @Test
    void anAgeOfZeroAsksForEveryShare() {
        SharePolicy live = new SharePolicy(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(120), 600, 10);

        assertThat(check(published(0), 0).classify(TIP, false, live)).isEqualTo(TipVerdict.NEEDS_TIP);
    }

    @Test
    void graceNeedsTheTipsParentAndCreditsExactlyOneTipBehind() {
        TipCheck waiting = check(published(0), 1);

        assertThat(waiting.classify(OLD, false, POLICY)).isEqualTo(TipVerdict.NEEDS_PARENT);
        assertThat(waiting.withTipParent(OLD).classify(OLD, false, POLICY)).isEqualTo(TipVerdict.GRACE);
        assertThat(waiting.withTipParent(OLD).classify(OLDER, false, POLICY)).isEqualTo(TipVerdict.STALE);
    }

    @Test
    void graceRunsFromTheConnectionsFirstWorkForTheTip() {
        assertThat(delivered(0).classify(OLD, false, POLICY)).isEqualTo(TipVerdict.GRACE);
        assertThat(deliveredAgo("2.9").classify(OLD, false, POLICY)).isEqualTo(TipVerdict.GRACE);
        assertThat(deliveredAgo("3").classify(OLD, false, POLICY)).isEqualTo(TipVerdict.GRACE);
        assertThat(deliveredAgo("3.1").classify(OLD, false, POLICY)).isEqualTo(TipVerdict.STALE);
    }

    @Test
    void theFirstTipOfAProcessOpensNoGrace() {
        TipSnapshot baseline = TipSnapshot.published(TIP, 0, false);
        TipCheck check = new TipCheck(baseline, Optional.empty(), Optional.of(OLD), Optional.empty(), 0);

        assertThat(check.classify(OLD, false, POLICY)).isEqualTo(TipVerdict.STALE);
    }

    @Test
    void aTipSeenOnlyByTheSubmitItselfOpensNoGrace() {
        TipCheck check = check(published(0), 11).withLive(NEXT).withTipParent(TIP);

        assertThat(check.classify(TIP, false, POLICY)).isEqualTo(TipVerdict.STALE);
    }

    @Test
    void workOfAnotherConnectionHasNoGrace() {
        assertThat(check(published(0), 1).withTipParent(OLD).classify(OLD, true, POLICY))
                .isEqualTo(TipVerdict.STALE);
        assertThat(check(published(0), 1).classify(TIP, true, POLICY)).isEqualTo(TipVerdict.CURRENT);
    }

    @Test
    void onlyBlocksOnALivingParentAreOffered() {
        assertThat(check(diverged(0, 0), 1).offerable(TIP)).isTrue();
        assertThat(check(diverged(0, 0), 1).offerable(NEXT)).isTrue();
        assertThat(check(diverged(0, 0), 1).offerable(OLD)).isFalse();
    }

    private static TipCheck check(TipSnapshot snapshot, long nowSeconds) {
        return new TipCheck(
                snapshot, Optional.empty(), Optional.empty(), Optional.empty(), nowSeconds * 1_000_000_000L);
    }

    private static TipCheck delivered(long ago) {
        return deliveredAgo(Long.toString(ago));
    }

    private static TipCheck deliveredAgo(String seconds) {
        long now = 5_000_000_000L;
        long at = now - (long) (Double.parseDouble(seconds) * 1e9);
        return new TipCheck(published(0), Optional.empty(), Optional.of(OLD), Optional.of(new TipWork(TIP, at)), now);
    }

    private static TipSnapshot published(long confirmedSeconds) {
        return TipSnapshot.published(TIP, confirmedSeconds * 1_000_000_000L, true);
    }

    private static TipSnapshot diverged(long confirmedSeconds, long sinceSeconds) {
        return new TipSnapshot(
                Optional.of(TIP),
                confirmedSeconds * 1_000_000_000L,
                true,
                Optional.of(NEXT),
                OptionalLong.of(sinceSeconds * 1_000_000_000L));
    }

    private static Hash256 hash(int seed) {
        return Sha256d.hash(new byte[] {(byte) seed});
    }
}

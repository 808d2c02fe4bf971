package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.stratum.WorkedExample.ADDRESS;
import static org.prismpool.stratum.WorkedExample.EN2;
import static org.prismpool.stratum.WorkedExample.NTIME;
import static org.prismpool.stratum.WorkedExample.USER;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.JobOutcome;
import org.prismpool.stratum.JobPurpose;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumMetrics.IdleSkip;
import org.prismpool.stratum.TipSnapshot;
import org.prismpool.stratum.WorkedExample;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.ResumePolicy;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;
import org.prismpool.templates.chain.Sha256d;

/** Suggestions, passwords, vardiff and memory on a session: acceptance 20, 41 to 46 and the traps and field cases of them. */
class DifficultyTest {

    /** Bits of the hardest example: no wish of these tests is above the network. */
    private static final String HARD = "17034219";

    @ParameterizedTest
    @ValueSource(
            strings = {"[\"abc\"]", "[]", "[\"nan\"]", "[\"0\"]", "[null]", "[-5]", "[0]", "[true]", "[{}]", "[[5]]"})
    void suggestionsThatAreNoDifficultyAreAcceptedWithoutEffect(String params) {
        Rig rig = hardRig("1", "4", "1024");
        FakeWire miner = rig.miner(USER, "x");
        int before = miner.sent.size();
        suggest(miner, params);

        assertThat(miner.sent.subList(before, miner.sent.size()))
                .containsExactly("{\"id\": 8, \"result\": true, \"error\": null}\n");
    }

    @Test
    void aSuggestionThatIsNoArrayIsRefused() {
        FakeWire miner = hardRig("1", "4", "1024").miner(USER, "x");
        suggest(miner, "1000");

        assertThat(miner.last()).contains("params must be an array");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "configure suggest authorize",
                "suggest configure authorize",
                "suggest subscribe authorize",
                "subscribe suggest authorize",
                "authorize suggest subscribe",
                "suggest authorize subscribe"
            })
    void theFirstDifficultyReflectsASuggestionInEveryOrder(String order) {
        FakeWire miner = hardRig("1", "4", "1024").connect();
        for (String step : order.split(" ")) {
            switch (step) {
                case "configure" -> Rig.configure(miner);
                case "suggest" -> suggest(miner, "[512]");
                case "subscribe" -> miner.feed("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}");
                default -> Rig.authorize(miner, USER, "x");
            }
        }
        if (!order.contains("subscribe")) {
            miner.feed("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}");
        }

        assertThat(miner.jobs).hasSize(1);
        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(512);
    }

    @Test
    void aSuggestionOnALiveSessionSendsACleanPairBeforeItsTrue() {
        FakeWire miner = hardRig("1", "4", "1024").miner(USER, "x");
        int before = miner.sent.size();
        suggest(miner, "[\"1e3\"]");

        List<String> sent = miner.sent.subList(before, miner.sent.size());
        assertThat(sent).hasSize(3);
        assertThat(sent.get(0)).contains("mining.set_difficulty").contains("[1000]");
        assertThat(sent.get(1)).contains("mining.notify").endsWith("true]}\n");
        assertThat(sent.get(2)).contains("\"result\": true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1e308]", "[9e15]", "[\"1e999999\"]"})
    void absurdSuggestionsAreClampedToTheListener(String params) {
        FakeWire miner = hardRig("1", "4", "1024").miner(USER, "x");
        suggest(miner, params);

        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(1024);
    }

    @Test
    void aSuggestionThatCannotBeDeliveredLeavesNoTrace() {
        Rig rig = hardRig("1", "4", "1024");
        FakeWire miner = rig.miner(USER, "x");
        rig.issuer.retarget = Optional.of(CompletableFuture.completedFuture(JobOutcome.BUILD_FAILED));
        suggest(miner, "[512]");

        assertThat(miner.last()).contains("\"result\": true");
        assertThat(miner.session.view().desiredDifficulty()).isEqualByComparingTo("4");
        assertThat(miner.session.view().epoch().difficultyGeneration()).isZero();
        assertThat(miner.jobs).hasSize(1);
        assertThat(rig.metrics.count("build-failed")).isEqualTo(1);
    }

    @Test
    void aSuggestionWhileTheFirstJobIsPendingGivesOneJobAtTheNewDifficulty() {
        Rig rig = hardRig("1", "4", "1024");
        rig.issuer.withholdInitial = true;
        FakeWire miner = rig.miner(USER, "x");
        rig.issuer.withholdInitial = false;
        suggest(miner, "[512]");

        assertThat(miner.jobs).hasSize(1);
        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(512);
        assertThat(miner.session.view().epoch().difficultyGeneration()).isEqualTo(1);
    }

    @Test
    void aPasswordOutranksASuggestion() {
        FakeWire miner = hardRig("1", "4", "1024").miner(USER, "d=64");
        suggest(miner, "[512]");

        assertThat(miner.jobs).hasSize(1);
        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(64);
    }

    @Test
    void reauthorizingWithAnotherDifficultySendsExactlyOnePair() {
        FakeWire miner = hardRig("1", "4", "1024").miner(USER, "d=64");
        Rig.authorize(miner, USER, "d=128");

        assertThat(miner.jobs).hasSize(2);
        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(128);
        assertThat(miner.cleanFlags).containsExactly(true, true);
    }

    @Test
    void reauthorizingWithoutWishesDropsThePersonalPolicyButKeepsTheDifficulty() {
        FakeWire miner = hardRig("1", "4", "1024").miner(USER, "md=256");
        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(256);
        Rig.authorize(miner, USER, "x");

        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(256);
        assertThat(miner.session.state.policy.range().min()).isEqualByComparingTo("1");
    }

    @Test
    void theHighListenerNeverGoesBelowItsFloor() {
        ListenerConfig high = ListenerConfig.highDifficulty(
                "127.0.0.1", 0, new BigDecimal(500000), Rig.policy("500000", "500000", "4294967296"));
        Rig rig = new Rig(Rig.config(high));
        FakeWire miner = rig.miner(ADDRESS + ".nh", "d=1000");
        assertThat(miner.sent.get(2))
                .isEqualTo("{\"id\": null, \"method\": \"mining.set_difficulty\", \"params\": [500000]}\n");
        rig.clock.advance(Duration.ofHours(3));

        assertThat(miner.session.idle()).isFalse();
        suggest(miner, "[1]");
        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(500000);
    }

    @Test
    void anAcceptedShareAtTheEndOfAWindowRaisesTheDifficultyAfterItsAnswer() {
        Rig rig = easyRig(VardiffPace.defaults());
        FakeWire miner = rig.connectAs(42);
        Rig.login(miner, USER, "x");
        String job = miner.lastJob().jobId();
        findShares(rig, miner, job, 40);
        rig.clock.advance(Duration.ofSeconds(90));
        rig.tips.publish(WorkedExample.parent(), false);
        int before = miner.sent.size();
        findShares(rig, miner, job, 1);

        List<String> sent = miner.sent.subList(before, miner.sent.size());
        int answer = sent.indexOf("{\"id\": 5, \"result\": true, \"error\": null}\n");
        assertThat(sent.get(answer + 1)).contains("mining.set_difficulty").contains("[0.000000004]");
        assertThat(sent.get(answer + 2)).contains("mining.notify").endsWith("false]}\n");
        assertThat(Rig.submit(miner, USER, job, EN2, NTIME, "ffffffff")).doesNotContain("unknown-job");
    }

    @Test
    void aRetargetThatCannotBeBuiltChangesNothing() {
        Rig rig = easyRig(VardiffPace.defaults());
        FakeWire miner = rig.connectAs(42);
        Rig.login(miner, USER, "x");
        String job = miner.lastJob().jobId();
        rig.issuer.retarget = Optional.of(CompletableFuture.completedFuture(JobOutcome.BUILD_FAILED));
        findShares(rig, miner, job, 40);
        rig.clock.advance(Duration.ofSeconds(90));
        rig.tips.publish(WorkedExample.parent(), false);
        findShares(rig, miner, job, 1);

        assertThat(rig.issuer.lastRetarget.orElseThrow().purpose()).isEqualTo(JobPurpose.STEP_UP);
        assertThat(miner.session.view().desiredDifficulty()).isEqualByComparingTo("0.000000001");
        assertThat(miner.jobs).hasSize(1);
        assertThat(miner.closedFor()).isEmpty();
        assertThat(rig.metrics.count("build-failed")).isEqualTo(1);
    }

    @Test
    void aSilentSessionStepsDownOncePerWindowAndEndsAtTheMinimum() {
        Rig rig = hardRig("1", "16", "1024");
        FakeWire miner = rig.miner(USER, "x");
        for (double next : new double[] {4, 1}) {
            rig.clock.advance(Duration.ofSeconds(89));
            assertThat(miner.session.idle()).isFalse();
            rig.clock.advance(Duration.ofSeconds(1));
            assertThat(miner.session.idle()).isTrue();
            miner.session.stepDownIdle(
                    (skipped, failed, delivered) -> assertThat(delivered).isTrue());
            assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(next);
            assertThat(miner.cleanFlags.get(miner.cleanFlags.size() - 1)).isTrue();
        }
        rig.clock.advance(Duration.ofSeconds(90));
        assertThat(miner.session.idle()).as("nothing left to change").isFalse();
    }

    @Test
    void aSubmitBetweenDecisionAndJobCancelsTheStepDown() {
        Rig rig = hardRig("1", "16", "1024");
        FakeWire miner = rig.miner(USER, "x");
        String job = miner.lastJob().jobId();
        rig.clock.advance(Duration.ofSeconds(90));
        rig.tips.publish(WorkedExample.parent(), false);
        CompletableFuture<JobOutcome> building = new CompletableFuture<>();
        rig.issuer.retarget = Optional.of(building);
        boolean[] wasSkipped = new boolean[1];
        miner.session.stepDownIdle((skipped, failed, delivered) -> wasSkipped[0] = skipped.isPresent());
        Rig.submit(miner, USER, job, EN2, NTIME, "00000000");

        assertThat(miner.session.stamp(rig.work, rig.issuer.lastRetarget.orElseThrow()))
                .isEmpty();
        assertThat(miner.session.view().desiredDifficulty()).isEqualByComparingTo("16");
        building.complete(JobOutcome.DELIVERED);
        assertThat(wasSkipped[0]).isTrue();
        assertThat(miner.session.view().desiredDifficulty()).isEqualByComparingTo("16");
    }

    @Test
    void noSessionStepsDownWhileANewTipWaitsForItsWork() {
        Rig rig = hardRig("1", "16", "1024");
        FakeWire miner = rig.miner(USER, "x");
        rig.clock.advance(Duration.ofSeconds(90));
        rig.tips.snapshot = new TipSnapshot(
                Optional.of(WorkedExample.parent()),
                0,
                false,
                Optional.of(Sha256d.hash(new byte[1])),
                OptionalLong.of(0));
        miner.session.stepDownIdle(
                (skipped, failed, delivered) -> assertThat(skipped).hasValue(IdleSkip.SUPERSEDED));

        assertThat(miner.jobs).hasSize(1);
    }

    @Test
    void anIdleStepSaysWhyItWasNotTaken() {
        Rig rig = hardRig("1", "16", "1024");
        FakeWire miner = rig.miner(USER, "x");
        List<Optional<IdleSkip>> skips = new ArrayList<>();
        Session.IdleDone note = (skipped, failed, delivered) -> skips.add(skipped);
        miner.session.stepDownIdle(note);
        rig.clock.advance(Duration.ofSeconds(90));
        rig.tips.publish(WorkedExample.parent(), false);
        rig.issuer.retarget = Optional.of(CompletableFuture.completedFuture(JobOutcome.BUSY));
        miner.session.stepDownIdle(note);
        rig.issuer.retarget = Optional.of(CompletableFuture.completedFuture(JobOutcome.SKIPPED));
        miner.session.stepDownIdle(note);
        rig.issuer.retarget = Optional.of(new CompletableFuture<>());
        miner.session.stepDownIdle(note);
        assertThat(miner.session.busy()).isTrue();
        miner.session.stepDownIdle(note);
        miner.close(DisconnectReason.PEER);
        miner.session.stepDownIdle(note);

        assertThat(skips)
                .extracting(Optional::orElseThrow)
                .containsExactly(
                        IdleSkip.NOT_IDLE, IdleSkip.BUSY, IdleSkip.SUPERSEDED, IdleSkip.BUSY, IdleSkip.DISCONNECTED);
        assertThat(miner.session.view().desiredDifficulty()).isEqualByComparingTo("4");
    }

    @Test
    void aMinerInARejectStormIsNotIdle() {
        Rig rig = hardRig("1", "16", "1024");
        FakeWire miner = rig.miner(USER, "x");
        Rig.submit(miner, USER, "unknown", EN2, NTIME, "00000000");
        rig.clock.advance(Duration.ofSeconds(90));

        assertThat(miner.session.idle()).isFalse();
    }

    @Test
    void withVardiffOffWishesAreStillHonoured() {
        StratumConfig base = Rig.config(Rig.listener("1", "4", "1024"));
        Rig rig = new Rig(base.with(new StratumConfig.DifficultyConfig(false, Duration.ZERO, ResumePolicy.defaults())));
        rig.work = WorkedExample.workWithBits(HARD);
        FakeWire miner = rig.miner(USER, "x");
        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(4);
        rig.clock.advance(Duration.ofSeconds(1000));
        assertThat(miner.session.idle()).isFalse();
        suggest(miner, "[99]");

        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(99);
        assertThat(rig.miner(USER, "d=77").lastJob().difficulty().advertised()).isEqualTo(77);
    }

    @Test
    void aCappedDifficultyKeepsTheWishAsBaseline() {
        Rig rig = new Rig(Rig.config(Rig.listener("0.1", "4", "1024")));
        FakeWire miner = rig.miner(USER, "x");
        assertThat(miner.session.view().desiredDifficulty()).isEqualByComparingTo("4");
        assertThat(miner.session.state.current.doubleValue()).isEqualTo(4.6565423739069247e-10);
        rig.work = WorkedExample.workWithBits(HARD);
        rig.jobs.publish(JobPurpose.NEW_WORK);

        assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(4);
        assertThat(miner.session.state.current).isEqualByComparingTo("4");
    }

    @Test
    void aSatisfiedWishIsNotLostToDecimalDivision() {
        Rig rig = hardRig("0.1", "7.142857142857142857", "1024");
        FakeWire miner = rig.miner(USER, "x");

        assertThat(miner.session.state.current).isEqualByComparingTo("7.142857142857142857");
    }

    @Test
    void aReconnectResumesNearItsLastDifficulty() {
        Rig rig = hardRig("1024", "16384", "4294967296");
        FakeWire first = rig.miner(USER, "d=262144");
        first.close(DisconnectReason.PEER);
        FakeWire again = rig.miner(USER, "x");

        assertThat(again.lastJob().difficulty().advertised()).isEqualTo(262144);
        assertThat(again.session.view().epoch().difficultyGeneration()).isEqualTo(1);
        assertThat(rig.metrics.count("resume:resumed")).isEqualTo(1);
    }

    @Test
    void aResumedDifficultyYieldsToWishesOfTheSameAuthorize() {
        Rig rig = hardRig("1024", "16384", "4294967296");
        rig.miner(USER, "d=262144").close(DisconnectReason.PEER);
        FakeWire lower = rig.miner(USER, "d=32768");
        assertThat(lower.lastJob().difficulty().advertised()).isEqualTo(32768);
        assertThat(rig.metrics.count("resume:overridden")).isEqualTo(1);
        lower.close(DisconnectReason.PEER);

        rig.miner(USER, "d=262144").close(DisconnectReason.PEER);
        assertThat(rig.miner(USER, "md=524288").lastJob().difficulty().advertised())
                .isEqualTo(524288);
    }

    @Test
    void aReauthorizeNeverResumes() {
        Rig rig = hardRig("1024", "16384", "4294967296");
        rig.miner(USER, "d=262144").close(DisconnectReason.PEER);
        FakeWire other = rig.miner(ADDRESS + ".other", "x");
        Rig.authorize(other, USER, "x");

        assertThat(other.lastJob().difficulty().advertised()).isEqualTo(16384);
    }

    @Test
    void aWishThatWasNeverDeliveredIsNotRemembered() {
        Rig rig = hardRig("1024", "16384", "4294967296");
        FakeWire miner = rig.miner(USER, "x");
        rig.issuer.retarget = Optional.of(new CompletableFuture<>());
        suggest(miner, "[1048576]");
        miner.close(DisconnectReason.PEER);
        rig.issuer.retarget = Optional.empty();

        assertThat(rig.miner(USER, "x").lastJob().difficulty().advertised()).isEqualTo(16384);
    }

    @Test
    void twentyReconnectsKeepAConvergedDifficulty() {
        Rig rig = hardRig("1", "4", "1048576");
        rig.miner(USER, "d=4096").close(DisconnectReason.PEER);
        for (int i = 0; i < 20; i++) {
            rig.clock.advance(Duration.ofSeconds(40));
            FakeWire miner = rig.miner(USER, "x");
            assertThat(miner.lastJob().difficulty().advertised()).isEqualTo(4096);
            miner.close(DisconnectReason.PEER);
        }
    }

    private static Rig hardRig(String min, String start, String max) {
        Rig rig = new Rig(Rig.config(Rig.listener(min, start, max)));
        rig.work = WorkedExample.workWithBits(HARD);
        return rig;
    }

    /** Shares of difficulty 1e-9 under a hard network: about one hash in four is a share. */
    private static Rig easyRig(VardiffPace pace) {
        VardiffPolicy policy = new VardiffPolicy(DifficultyRange.of("0.000000001", "0.000000001", "1024"), pace);
        Rig rig = new Rig(Rig.config(ListenerConfig.plain("127.0.0.1", 0, new BigDecimal("0.000000001"), policy)));
        rig.work = WorkedExample.workWithBits(HARD);
        return rig;
    }

    private static void findShares(Rig rig, FakeWire miner, String job, int wanted) {
        int before = rig.shares.shareCount();
        for (int nonce = 0; rig.shares.shareCount() < before + wanted; nonce++) {
            Rig.submit(miner, USER, job, String.format("%016x", before), NTIME, String.format("%08x", nonce));
        }
    }

    private static void suggest(FakeWire miner, String params) {
        miner.feed("{\"id\":8,\"method\":\"mining.suggest_difficulty\",\"params\":" + params + "}");
    }
}

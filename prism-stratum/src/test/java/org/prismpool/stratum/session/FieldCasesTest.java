package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.stratum.WorkedExample.ADDRESS;
import static org.prismpool.stratum.WorkedExample.EN2;
import static org.prismpool.stratum.WorkedExample.NTIME;
import static org.prismpool.stratum.WorkedExample.USER;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.JobOutcome;
import org.prismpool.stratum.JobPurpose;
import org.prismpool.stratum.LandingResult;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.WorkedExample;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;

/** What went wrong at other pools, played on a session with a clock that the test moves. */
class FieldCasesTest {

    /** Bits under which no wish of these tests is capped by the network. */
    private static final String HARD = "17034219";

    private static Rig hardRig(String min, String start, String max) {
        Rig rig = new Rig(Rig.config(Rig.listener(min, start, max)));
        rig.work = WorkedExample.workWithBits(HARD);
        return rig;
    }

    /** Every hash is a share; vardiff can be watched without grinding. */
    private static Rig easyRig(String pace) {
        VardiffPace seconds = VardiffPace.of("15", pace, "4", "4", "0.4", "0.25");
        VardiffPolicy policy = new VardiffPolicy(DifficultyRange.of("0.0000000001", "0.0000000001", "1024"), seconds);
        ListenerConfig listener = ListenerConfig.plain("127.0.0.1", 0, new BigDecimal("0.0000000001"), policy);
        return new Rig(Rig.config(listener));
    }

    /** A miner that negotiated version rolling before its first job. */
    private static FakeWire rolling(Rig rig, String username) {
        FakeWire miner = rig.connect();
        Rig.configure(miner);
        Rig.login(miner, username, "x");
        return miner;
    }

    @Test
    void everyNotifyOfALongRunHasNineParametersOfTheirTypes() throws IOException {
        Rig rig = hardRig("0.000000001", "1", "1e12");
        FakeWire miner = rig.miner(USER, "x");
        List<String> difficulties = List.of("1e-9", "0.1", "500000", "4294967296", "12345678901.5");
        for (int minute = 0; minute < 10; minute++) {
            rig.work = minute % 3 == 0 ? WorkedExample.largeWork(300) : WorkedExample.workWithBits(HARD);
            rig.jobs.publish(minute % 2 == 0 ? JobPurpose.NEW_WORK : JobPurpose.SAME_TIP);
            miner.feed("{\"id\":8,\"method\":\"mining.suggest_difficulty\",\"params\":["
                    + difficulties.get(minute % difficulties.size()) + "]}");
            rig.clock.advance(Duration.ofMinutes(1));
            rig.tips.publish(WorkedExample.parent(), false);
        }

        List<String> notifies = miner.sent.stream()
                .filter(line -> line.contains("mining.notify"))
                .toList();
        assertThat(notifies).hasSizeGreaterThan(15);
        for (String line : notifies) {
            assertThat(types(line)).isEqualTo("ssss[]sssb");
        }
        assertThat(miner.sent)
                .filteredOn(line -> line.contains("mining.set_difficulty"))
                .allMatch(line -> line.matches(".*\"params\": \\[(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?\\]}\n"));
    }

    /** Types of the parameters in order; an array of 64 hex digits each shows as brackets. */
    private static String types(String notify) throws IOException {
        StringBuilder types = new StringBuilder();
        try (JsonParser json = new JsonFactory().createParser(notify)) {
            while (!"params".equals(json.currentName()) || json.currentToken() != JsonToken.START_ARRAY) {
                json.nextToken();
            }
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (json.currentToken() == JsonToken.START_ARRAY) {
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        assertThat(json.getText()).matches("[0-9a-f]{64}");
                    }
                    types.append("[]");
                } else {
                    types.append(json.currentToken() == JsonToken.VALUE_STRING ? 's' : 'b');
                }
            }
        }
        return types.toString();
    }

    @Test
    void firmwareThatRepeatsANonceAHundredTimesIsPaidOnceAndStays() {
        Rig rig = easyRig("90");
        FakeWire miner = rig.miner(USER, "x");
        String job = miner.lastJob().jobId();
        for (int i = 0; i < 100; i++) {
            Rig.submit(miner, USER, job, EN2, NTIME, "00000007");
        }

        assertThat(rig.metrics.count("accepted")).isEqualTo(1);
        assertThat(rig.metrics.count("duplicate-share")).isEqualTo(99);
        assertThat(rig.shares.shares).hasSize(1);
        assertThat(miner.closedFor()).isEmpty();
    }

    @Test
    void aFloodBelowTheTargetIsSlowedAndReachesNoLedgerWhileANeighbourIsAnswered() {
        Rig rig = hardRig("1024", "1024", "1024");
        FakeWire spammer = rig.miner(USER, "x");
        FakeWire neighbour = rig.miner(ADDRESS + ".neighbour", "x");
        String job = spammer.lastJob().jobId();
        for (int share = 0; share < 5000; share++) {
            Rig.submit(spammer, USER, job, String.format("%016x", share), NTIME, "00000000");
        }
        int refused = rig.metrics.count("low-difficulty");
        assertThat(refused).as("until the budget was spent").isEqualTo(1001);
        assertThat(Rig.submit(
                        neighbour, ADDRESS + ".neighbour", neighbour.lastJob().jobId(), EN2, NTIME, "00000000"))
                .contains("low-difficulty");

        for (int tenths = 0; tenths < 500; tenths++) {
            rig.clock.advance(Duration.ofMillis(100));
            rig.tips.publish(WorkedExample.parent(), false);
            spammer.runScheduled();
        }
        assertThat(rig.metrics.count("low-difficulty")).isEqualTo(5001);
        assertThat(rig.shares.shares).isEmpty();
        assertThat(spammer.closedFor()).isEmpty();
    }

    @Test
    void anIdleMinerThatWakesUpClimbsByTheLargestStepFromTheFloor() {
        Rig rig = easyRig("90");
        FakeWire miner = rig.miner(USER, "x");
        rig.clock.advance(Duration.ofMinutes(10));
        rig.tips.publish(WorkedExample.parent(), false);
        assertThat(miner.session.idle()).as("already at the floor").isFalse();

        List<BigDecimal> seen = new ArrayList<>();
        for (int share = 0; share < 400; share++) {
            rig.clock.advance(Duration.ofMillis(500));
            rig.tips.publish(WorkedExample.parent(), false);
            Rig.submit(miner, USER, miner.lastJob().jobId(), String.format("%016x", share), NTIME, "00000000");
            BigDecimal now = miner.session.view().desiredDifficulty();
            if (seen.isEmpty() || seen.get(seen.size() - 1).compareTo(now) != 0) {
                seen.add(now);
            }
        }
        assertThat(seen.get(0)).isEqualByComparingTo("0.0000000001");
        for (int i = 1; i < seen.size(); i++) {
            assertThat(seen.get(i)).isLessThanOrEqualTo(seen.get(i - 1).multiply(new BigDecimal("4")));
        }
        assertThat(seen).hasSizeGreaterThan(1);
        assertThat(rig.metrics.count("throttled")).isZero();
    }

    @Test
    void aStartFarTooHighComesDownStepByStepUntilTheFloor() {
        Rig rig = hardRig("1", "1000", "1024");
        FakeWire miner = rig.miner(USER, "x");
        int steps = 0;
        while (steps < 20) {
            rig.clock.advance(Duration.ofSeconds(90));
            rig.tips.publish(WorkedExample.parent(), false);
            if (!miner.session.idle()) {
                break;
            }
            miner.session.stepDownIdle(
                    (skipped, failed, delivered) -> assertThat(delivered).isTrue());
            steps++;
        }

        assertThat(steps).as("1000, 250, 62.5, 15.625, 3.90625, 1").isEqualTo(5);
        assertThat(miner.session.view().desiredDifficulty()).isEqualByComparingTo("1");
        assertThat(miner.closedFor()).isEmpty();
    }

    @Test
    void sharesThatArriveInAHeapAfterAGapCountOverTheWholeTimeSinceTheWindowBegan() {
        Rig rig = easyRig("90");
        FakeWire miner = rig.miner(USER, "x");
        String job = miner.lastJob().jobId();
        rig.clock.advance(Duration.ofSeconds(100));
        rig.tips.publish(WorkedExample.parent(), false);
        // 7 shares in 100 s are one in 14 s: what is wanted, whatever the last moments looked like
        for (int share = 0; share < 7; share++) {
            rig.clock.advance(Duration.ofMillis(20));
            Rig.submit(miner, USER, job, String.format("%016x", share), NTIME, "00000000");
        }

        assertThat(miner.session.view().desiredDifficulty()).isLessThanOrEqualTo(new BigDecimal("0.0000000004"));
        assertThat(miner.jobs).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aTupleOfAnotherSessionIsHashedWithTheSessionsOwnExtranonce() {
        Rig rig = new Rig();
        rig.connectAs(41);
        FakeWire winner = rolling(rig, USER);
        FakeWire copycat = rolling(rig, ADDRESS + ".copycat");
        String tuple = winner.lastJob().jobId();
        assertThat(Rig.submit(winner, USER, tuple, EN2, NTIME, "1a2b3c51", WorkedExample.BITS))
                .contains("\"result\": true");

        assertThat(Rig.submit(copycat, ADDRESS + ".copycat", tuple, EN2, NTIME, "1a2b3c51", WorkedExample.BITS))
                .as("the job belongs to a live connection of somebody else")
                .contains("unknown-job");
        Rig.submit(
                copycat, ADDRESS + ".copycat", copycat.lastJob().jobId(), EN2, NTIME, "1a2b3c51", WorkedExample.BITS);
        assertThat(rig.shares.shares.stream()
                        .filter(share -> share.submission().hash().displayHex().equals(WorkedExample.HASH_51))
                        .count())
                .isEqualTo(1);
    }

    @Test
    void theWinningLineThreeTimesIsOneBlock() {
        Rig rig = new Rig();
        rig.connectAs(41);
        FakeWire miner = rolling(rig, USER);
        String job = miner.lastJob().jobId();
        assertThat(Rig.submit(miner, USER, job, EN2, NTIME, "1a2b3c51", WorkedExample.BITS))
                .contains("\"result\": true");
        assertThat(Rig.submit(miner, USER, job, EN2, NTIME, "1a2b3c51", WorkedExample.BITS))
                .contains("duplicate-share");
        miner.close(DisconnectReason.PEER);
        FakeWire again = rolling(rig, USER);
        assertThat(Rig.submit(again, USER, job, EN2, NTIME, "1a2b3c51", WorkedExample.BITS))
                .contains("duplicate-share");

        assertThat(rig.shares.enqueued).hasSize(1);
        assertThat(rig.shares.shares).hasSize(1);
        assertThat(rig.shares.woken)
                .as("a pending block is tried again at once")
                .hasSize(2);
    }

    @Test
    void aBlockThatDidNotLandIsLowDifficultyEachTimeAndLeavesNoRow() {
        ListenerConfig high = ListenerConfig.highDifficulty(
                "127.0.0.1", 0, new BigDecimal("500000"), Rig.policy("500000", "500000", "4294967296"));
        Rig rig = new Rig(StratumConfig.of(high)
                .with(Rig.config(Rig.listener("1", "1", "2")).jobs()));
        rig.connectAs(41);
        FakeWire miner = rolling(rig, USER);
        rig.shares.landingAnswer(LandingResult.NOT_LANDED);
        String job = miner.lastJob().jobId();
        for (int i = 0; i < 3; i++) {
            assertThat(Rig.submit(miner, USER, job, EN2, NTIME, "1a2b3c51", WorkedExample.BITS))
                    .contains("low-difficulty");
        }

        assertThat(rig.shares.landing).hasSize(3);
        assertThat(rig.shares.shares).isEmpty();
    }

    @Test
    void anIdleStepThatCannotBeBuiltKeepsTheMinerAndIsDueAgainAtOnce() {
        Rig rig = hardRig("1", "16", "1024");
        FakeWire miner = rig.miner(USER, "x");
        rig.clock.advance(Duration.ofSeconds(90));
        rig.tips.publish(WorkedExample.parent(), false);
        rig.issuer.retarget = Optional.of(CompletableFuture.completedFuture(JobOutcome.BUILD_FAILED));
        miner.session.stepDownIdle((skipped, failed, delivered) -> {
            assertThat(failed).isTrue();
            assertThat(delivered).isFalse();
        });

        assertThat(miner.session.idle()).isTrue();
        assertThat(miner.session.view().desiredDifficulty()).isEqualByComparingTo("16");
        assertThat(miner.closedFor()).isEmpty();
        assertThat(rig.metrics.count("build-failed")).isEqualTo(1);
    }

    @Test
    void aDisconnectWaitsForNoJobUnderWay() {
        Rig rig = hardRig("1", "16", "1024");
        FakeWire miner = rig.miner(USER, "x");
        CompletableFuture<JobOutcome> building = new CompletableFuture<>();
        rig.issuer.retarget = Optional.of(building);
        miner.feed("{\"id\":8,\"method\":\"mining.suggest_difficulty\",\"params\":[64]}");
        int jobs = miner.jobs.size();
        miner.close(DisconnectReason.PEER);
        assertThat(miner.session.view().closing()).isTrue();
        building.complete(JobOutcome.SKIPPED);

        assertThat(miner.jobs).hasSize(jobs);
        assertThat(miner.session.stamp(rig.work, rig.issuer.lastRetarget.orElseThrow()))
                .as("a build that ends later finds the session closing")
                .isEmpty();
    }

    @Test
    void anOrdinaryShareOnAMegabyteTemplateBuildsNoBlock() {
        Rig rig = easyRig("90");
        rig.work = WorkedExample.heavyWork(10, 100_000, HARD);
        FakeWire miner = rig.miner(USER, "x");
        String job = miner.lastJob().jobId();
        for (int i = 0; i < 300; i++) { // until the code is compiled
            Rig.submit(miner, USER, job, String.format("%016x", i), NTIME, "00000000");
        }
        long start = cpuNanos();
        for (int i = 300; i < 800; i++) {
            Rig.submit(miner, USER, job, String.format("%016x", i), NTIME, "00000000");
        }

        assertThat(Duration.ofNanos(cpuNanos() - start)).as("processor time").isLessThan(Duration.ofMillis(500));
        assertThat(rig.metrics.count("accepted")).isEqualTo(800);
        assertThat(rig.shares.solves).isEmpty();
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @Test
    void theMeasuredRateOfALaneIsTheMeasurementNotTheTarget() {
        long second = 1_000_000_000L;
        AcceptRate rate = new AcceptRate(0);
        for (int i = 1; i <= 20; i++) {
            rate.count(i * 30 * second); // half of the wanted share in 15 s
        }

        assertThat(rate.perSecond(600 * second)).isEqualTo(2 / 60.0);
    }

    @Test
    void aMinerAtHalfTheWantedRateShowsHalfOfItOnItsListener() {
        Rig rig = easyRig("90");
        FakeWire miner = rig.miner(USER, "x");
        for (int share = 0; share < 20; share++) { // ten minutes of one share in 30 s where one in 15 s is wanted
            rig.clock.advance(Duration.ofSeconds(30));
            rig.tips.publish(WorkedExample.parent(), false);
            assertThat(Rig.submit(
                            miner, USER, miner.lastJob().jobId(), String.format("%016x", share), NTIME, "00000000"))
                    .contains("\"result\": true");
        }

        assertThat(rig.services.acceptedPerSecond("default")).isEqualTo(0.5 / 15);
    }

    @Test
    void threeHoursWithoutAShareCostNoMinerItsConnectionAndItsWorkStaysFresh() {
        Rig rig = hardRig("1", "1", "1024");
        FakeWire miner = rig.miner(USER, "x");
        for (int minute = 0; minute < 180; minute++) {
            rig.clock.advance(Duration.ofMinutes(1));
            rig.tips.publish(WorkedExample.parent(), false);
            rig.jobs.publish(JobPurpose.KEEP_ALIVE);
            assertThat(miner.session.idle()).as("already at the floor").isFalse();
        }

        assertThat(miner.closedFor()).isEmpty();
        assertThat(miner.jobs).hasSize(181);
        assertThat(miner.cleanFlags.subList(1, 181)).containsOnly(false);
        Rig.submit(miner, USER, miner.lastJob().jobId(), EN2, NTIME, "00000000");
        assertThat(miner.last()).contains("low-difficulty");
    }
}

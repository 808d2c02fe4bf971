package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.stratum.WorkedExample.ADDRESS;
import static org.prismpool.stratum.WorkedExample.NTIME;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.prismpool.stratum.AcceptedShare;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobPurpose;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.WorkedExample;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;
import org.prismpool.templates.job.BlockAssembler;

/**
 * Random interleavings of submit, retarget, refresh, reauthorize and disconnect on one tip: no share that meets its own
 * job's target is refused, none is credited twice, and every answer keeps its place.
 */
class SessionProperties {

    private static final String[] NAMES = {ADDRESS + ".a", ADDRESS + ".b"};
    private static final Set<JobPurpose> VARDIFF =
            Set.of(JobPurpose.STEP_UP, JobPurpose.STEP_DOWN, JobPurpose.IDLE_STEP_DOWN);
    private static final long RETAINED_NANOS = Duration.ofSeconds(30).toNanos();

    /** Windows so short that a walk sees several. */
    private static final VardiffPolicy POLICY = new VardiffPolicy(
            DifficultyRange.of("0.0000000001", "0.0000000005", "0.00000001"),
            VardiffPace.of("1", "2", "4", "4", "0.4", "0.25"));

    private enum Step {
        SUBMIT,
        SUBMIT_OLD_JOB,
        REPEAT,
        SUGGEST,
        REFRESH,
        NEW_WORK,
        REAUTHORIZE,
        RECONNECT,
        CONFIGURE,
        PASS_TIME,
        IDLE,
        HOLD_COMMITS,
        RELEASE_COMMITS
    }

    /** A job that the miner got, and since when it was no longer the newest of its connection. */
    private static final class Held {
        final JobContext job;
        final FakeWire wire;
        long endedNanos = Long.MAX_VALUE;

        Held(JobContext job, FakeWire wire) {
            this.job = job;
            this.wire = wire;
        }
    }

    /** A miner that knows which job it works on, like real firmware. */
    private static final class Miner {
        final Rig rig = new Rig(
                Rig.config(ListenerConfig.plain("127.0.0.1", 0, POLICY.range().start(), POLICY)));
        final List<Held> held = new ArrayList<>();
        boolean retargeted;
        final Random random;
        final BlockAssembler assembler = new BlockAssembler();
        final Map<Integer, Boolean> mustBeAccepted = new HashMap<>();
        final List<String> repeatable = new ArrayList<>();
        FakeWire wire;
        String name = NAMES[0];
        int lastRequest = 100;

        Miner(long seed) {
            random = new Random(seed);
            rig.work = WorkedExample.workWithBits("1f00ffff");
            wire = rig.miner(name, "x");
            noteJobs();
        }

        void perform(Step step) {
            act(step);
            noteJobs();
            retargeted |= rig.issuer
                    .lastRetarget
                    .filter(request -> VARDIFF.contains(request.purpose()))
                    .isPresent();
        }

        private void noteJobs() {
            long known = held.stream().filter(job -> job.wire == wire).count();
            for (JobContext job : wire.jobs.subList((int) known, wire.jobs.size())) {
                endNewest();
                held.add(new Held(job, wire));
            }
        }

        private void endNewest() {
            if (!held.isEmpty()) {
                Held newest = held.get(held.size() - 1);
                newest.endedNanos = Math.min(newest.endedNanos, rig.clock.nanoTime());
            }
        }

        /** One of the last jobs that must still be taken: replaced, or of the connection before, less than 30 s ago. */
        private JobContext oldJob() {
            Held old = held.get(Math.max(0, held.size() - 1 - random.nextInt(12)));
            boolean fresh = old.endedNanos == Long.MAX_VALUE || rig.clock.nanoTime() - old.endedNanos <= RETAINED_NANOS;
            boolean mine = old.wire == wire || old.job.worker().username().equals(name);
            return fresh && mine ? old.job : wire.lastJob();
        }

        private void act(Step step) {
            switch (step) {
                case SUBMIT -> submit(wire.lastJob());
                case SUBMIT_OLD_JOB -> submit(oldJob());
                case REPEAT -> repeat();
                case SUGGEST -> feed("mining.suggest_difficulty", "[" + (1 + random.nextInt(9)) + "e-10]");
                case REFRESH -> rig.jobs.publish(JobPurpose.SAME_TIP);
                case NEW_WORK -> rig.jobs.publish(JobPurpose.NEW_WORK);
                case REAUTHORIZE -> reauthorize();
                case RECONNECT -> reconnect();
                case CONFIGURE -> Rig.configure(wire);
                case PASS_TIME -> passTime();
                case IDLE -> wire.session.stepDownIdle((skipped, failed, delivered) -> {});
                case HOLD_COMMITS -> rig.shares.hold();
                case RELEASE_COMMITS -> rig.shares.release();
            }
        }

        private void passTime() {
            rig.clock.advance(Duration.ofMillis(random.nextInt(2500)));
            rig.tips.publish(WorkedExample.parent(), false);
        }

        private void reauthorize() {
            rig.shares.release();
            name = NAMES[random.nextInt(2)];
            Rig.authorize(wire, name, "x");
        }

        private void reconnect() {
            rig.shares.release();
            wire.close(DisconnectReason.PEER);
            endNewest();
            wire = rig.miner(name, "x");
        }

        private void submit(JobContext job) {
            long nonce = random.nextInt(1 << 20);
            byte[] extranonce2 = new byte[8];
            random.nextBytes(extranonce2);
            assembler.assemble(
                    job.work().template(), job.extranonce1Bytes(), extranonce2, job.version(), 1_700_000_005L, nonce);
            boolean meets = assembler.meets(job.difficulty().shareTarget());
            String text = org.prismpool.stratum.codec.HexText.of(extranonce2);
            int id = ++lastRequest;
            mustBeAccepted.put(id, meets);
            String params =
                    "[\"" + String.join("\",\"", name, job.jobId(), text, NTIME, String.format("%08x", nonce)) + "\"]";
            repeatable.add(params);
            wire.feed("{\"id\":" + id + ",\"method\":\"mining.submit\",\"params\":" + params + "}");
        }

        private void repeat() {
            if (!repeatable.isEmpty()) {
                feed("mining.submit", repeatable.get(random.nextInt(repeatable.size())));
            }
        }

        private void feed(String method, String params) {
            wire.feed("{\"id\":3,\"method\":\"" + method + "\",\"params\":" + params + "}");
        }
    }

    @Property(tries = 150)
    void noShareIsLostAndNoneCreditedTwice(@ForAll long seed, @ForAll("steps") List<Step> steps) {
        Miner miner = new Miner(seed);
        List<String> allSent = new ArrayList<>();
        FakeWire seen = miner.wire;
        for (Step step : steps) {
            miner.perform(step);
            if (miner.wire != seen) {
                allSent.addAll(seen.sent);
                seen = miner.wire;
            }
        }
        miner.rig.shares.release();
        allSent.addAll(seen.sent);
        Statistics.label("vardiff")
                .collect(miner.retargeted)
                .coverage(it -> it.check(true).percentage(share -> share > 10));

        miner.mustBeAccepted.forEach((id, meets) -> {
            List<String> answers = allSent.stream()
                    .filter(line -> line.startsWith("{\"id\": " + id + ","))
                    .toList();
            assertThat(answers).as("answers to %s", id).hasSize(1);
            assertThat(answers.get(0)).contains(meets ? "\"result\": true" : "low-difficulty");
        });
        Set<String> credited = new HashSet<>();
        for (AcceptedShare share : miner.rig.shares.shares) {
            assertThat(credited.add(share.submission().hash().displayHex())).isTrue();
            assertThat(share.submission()
                            .job()
                            .difficulty()
                            .shareTarget()
                            .isMetBy(share.submission().hash()))
                    .isTrue();
        }
        long accepted =
                miner.mustBeAccepted.values().stream().filter(meets -> meets).count();
        assertThat(miner.rig.metrics.count("accepted")).isEqualTo((int) accepted);
        assertThat(credited).hasSize((int) accepted);
    }

    @Property(tries = 150)
    void everyJobFollowsItsDifficultyAndSubmitsAreAddedUp(@ForAll long seed, @ForAll("steps") List<Step> steps) {
        Miner miner = new Miner(seed);
        for (Step step : steps) {
            miner.perform(step);
        }
        miner.rig.shares.release();

        List<String> sent = miner.wire.sent;
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i).contains("\"mining.notify\"")) {
                assertThat(sent.get(i - 1)).contains("\"mining.set_difficulty\"");
            }
        }
        org.prismpool.stratum.RecordingMetrics metrics = miner.rig.metrics;
        int rejectedAfterCounting = metrics.count("unknown-job")
                + metrics.count("stale-job")
                + metrics.count("malformed-submit")
                + metrics.count("duplicate-share")
                + metrics.count("low-difficulty");
        assertThat(metrics.count("submitted")).isEqualTo(metrics.count("accepted") + rejectedAfterCounting);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(10, Arbitraries.of(Step.SUBMIT)),
                        net.jqwik.api.Tuple.of(4, Arbitraries.of(Step.SUBMIT_OLD_JOB)),
                        net.jqwik.api.Tuple.of(4, Arbitraries.of(Step.PASS_TIME)),
                        net.jqwik.api.Tuple.of(5, Arbitraries.of(Step.values())))
                .list()
                .ofMinSize(15)
                .ofMaxSize(80);
    }
}

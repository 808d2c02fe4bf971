package org.prismpool.stratum.session;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.stratum.AddressLookup;
import org.prismpool.stratum.InitialRequest;
import org.prismpool.stratum.JobIssuer;
import org.prismpool.stratum.JobOutcome;
import org.prismpool.stratum.JobPolicy;
import org.prismpool.stratum.JobRequest;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.ListenerWatch;
import org.prismpool.stratum.PayoutAddresses;
import org.prismpool.stratum.PoolState;
import org.prismpool.stratum.RecordingMetrics;
import org.prismpool.stratum.RecordingShares;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumConnection;
import org.prismpool.stratum.TipSnapshot;
import org.prismpool.stratum.TipView;
import org.prismpool.stratum.WorkedExample;
import org.prismpool.stratum.solo.LocalAddresses;
import org.prismpool.stratum.solo.SoloJobs;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.VardiffPace;
import org.prismpool.stratum.vardiff.VardiffPolicy;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;

/** Sessions without sockets: real jobs, hand-moved clocks, everything else recorded. One thread. */
final class Rig {

    final ManualClock clock = new ManualClock();
    final RecordingShares shares = new RecordingShares();
    final RecordingMetrics metrics = new RecordingMetrics();
    final Tips tips = new Tips();
    final Pool pool = new Pool();
    final Issuer issuer = new Issuer();
    final Addresses addresses = new Addresses();
    final SoloJobs jobs;
    final StratumConfig config;
    final SessionServices services;
    SharedWork work = WorkedExample.work();
    private long lastId;

    Rig(StratumConfig config) {
        this.config = config;
        this.jobs = new SoloJobs(() -> Optional.of(work), clock, SoloJobs.Retention.defaults());
        SessionPorts ports = new SessionPorts(
                addresses, issuer, jobs, shares, shares, tips, pool, metrics, ListenerWatch.NONE, clock, new Wall());
        this.services = new SessionServices(config, ports);
        tips.publish(WorkedExample.parent(), false);
    }

    Rig() {
        this(config(listener("0.000000001", "0.000000001", "1024")));
    }

    static VardiffPolicy policy(String min, String start, String max) {
        return new VardiffPolicy(DifficultyRange.of(min, start, max), VardiffPace.defaults());
    }

    static ListenerConfig listener(String min, String start, String max) {
        return ListenerConfig.plain("127.0.0.1", 0, new BigDecimal(start), policy(min, start, max));
    }

    static StratumConfig config(ListenerConfig listener) {
        return StratumConfig.of(listener).with(JobPolicy.fixed().withIntegralDifficulty(false));
    }

    FakeWire connect() {
        FakeWire wire = new FakeWire();
        lastId++;
        wire.session = new Session(lastId, (int) lastId, config.listeners().get(0), services, wire);
        wire.session.opened();
        return wire;
    }

    FakeWire connectAs(long id) {
        lastId = id - 1;
        return connect();
    }

    FakeWire miner(String username, String password) {
        FakeWire wire = connect();
        login(wire, username, password);
        return wire;
    }

    static void login(FakeWire wire, String username, String password) {
        wire.feed("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[\"test\"]}");
        authorize(wire, username, password);
    }

    static void authorize(FakeWire wire, String username, String password) {
        wire.feed("{\"id\":2,\"method\":\"mining.authorize\",\"params\":[\"" + username + "\",\"" + password + "\"]}");
    }

    static void configure(FakeWire wire) {
        wire.feed("{\"id\":9,\"method\":\"mining.configure\",\"params\":[[\"version-rolling\"],"
                + "{\"version-rolling.mask\":\"ffffffff\"}]}");
    }

    static String submit(FakeWire wire, String username, String job, String en2, String ntime, String nonce) {
        return submit(wire, username, job, en2, ntime, nonce, "");
    }

    static String submit(
            FakeWire wire, String username, String job, String en2, String ntime, String nonce, String bits) {
        String sixth = bits.isEmpty() ? "" : ",\"" + bits + "\"";
        wire.feed("{\"id\":5,\"method\":\"mining.submit\",\"params\":[\""
                + String.join("\",\"", username, job, en2, ntime, nonce) + "\"" + sixth + "]}");
        return wire.last();
    }

    /** Wall clock that stands at the worked example's time and moves with the monotonic clock. */
    private final class Wall extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(1_700_000_000L).plus(Duration.ofNanos(clock.nanoTime()));
        }
    }

    /** Tip that the test sets; counts how often the node is asked. */
    final class Tips implements TipView {
        TipSnapshot snapshot = TipSnapshot.NONE;
        int liveCalls;
        int parentCalls;
        CompletableFuture<Hash256> live = CompletableFuture.completedFuture(WorkedExample.parent());
        CompletableFuture<Hash256> parent = CompletableFuture.completedFuture(WorkedExample.parent());

        void publish(Hash256 tip, boolean changed) {
            snapshot = TipSnapshot.published(tip, clock.nanoTime(), changed);
        }

        @Override
        public TipSnapshot snapshot() {
            return snapshot;
        }

        @Override
        public CompletionStage<Hash256> liveTip() {
            liveCalls++;
            return live;
        }

        @Override
        public CompletionStage<Hash256> parentOf(Hash256 tip) {
            parentCalls++;
            return parent;
        }
    }

    /** Pool state that the test sets. */
    static final class Pool implements PoolState {
        boolean open = true;
        boolean shuttingDown;

        @Override
        public boolean open() {
            return open;
        }

        @Override
        public boolean shuttingDown() {
            return shuttingDown;
        }
    }

    /** Addresses of the regression-test chain, or an answer that the test sets. */
    static final class Addresses implements PayoutAddresses {
        Optional<CompletableFuture<AddressLookup>> answer = Optional.empty();

        @Override
        public CompletionStage<AddressLookup> lookUp(String address) {
            LocalAddresses local = new LocalAddresses(Network.REGTEST);
            return answer.isPresent() ? answer.get() : local.lookUp(address);
        }
    }

    /** The solo issuer with switches for what can go wrong. */
    final class Issuer implements JobIssuer {
        boolean capacity = true;
        boolean refuseInitial;
        boolean withholdInitial;
        Optional<RuntimeException> fault = Optional.empty();
        int initialRequests;
        Optional<CompletableFuture<JobOutcome>> retarget = Optional.empty();
        Optional<JobRequest> lastRetarget = Optional.empty();

        @Override
        public void connected(StratumConnection connection) {
            jobs.connected(connection);
        }

        @Override
        public void disconnected(StratumConnection connection) {
            jobs.disconnected(connection);
        }

        @Override
        public boolean hasInitialCapacity(StratumConnection connection) {
            return capacity;
        }

        @Override
        public InitialRequest requestInitial(StratumConnection connection, JobRequest request) {
            initialRequests++;
            if (fault.isPresent()) {
                throw fault.get();
            }
            if (refuseInitial) {
                return InitialRequest.REFUSED;
            }
            return withholdInitial ? InitialRequest.QUEUED : jobs.requestInitial(connection, request);
        }

        @Override
        public CompletionStage<JobOutcome> requestRetarget(StratumConnection connection, JobRequest request) {
            lastRetarget = Optional.of(request);
            return retarget.isPresent() ? retarget.get() : jobs.requestRetarget(connection, request);
        }
    }
}

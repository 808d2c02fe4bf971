package org.prismpool.bundle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.prismpool.bundle.compile.InProcessCompiler;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.finalization.BuildInputs;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.state.PayoutEvents;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.payout.state.PayoutStateConfig;
import org.prismpool.payout.state.PayoutStateMetrics;
import org.prismpool.payout.state.PayoutStatePorts;
import org.prismpool.payout.state.PreparedWindowConfig;
import org.prismpool.payout.state.PreparedWindows;
import org.prismpool.payout.state.PublishedPayout;
import org.prismpool.payout.state.WindowClock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.payout.window.WindowSource;
import org.prismpool.templates.BlockTemplate;
import org.prismpool.templates.TemplateFingerprint;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.job.BlockTerms;
import org.prismpool.templates.job.TransactionSet;

/** A pool of five shares around a real bundle service: ledger, chain and conditions are in the hands of the test. */
final class SmallPool implements AutoCloseable {

    static final SigningSeed MANIFEST_KEY = SigningSeed.ofHex("42".repeat(32));
    static final SigningSeed LEDGER_KEY = SigningSeed.ofHex("43".repeat(32));
    static final CollectionIdentity ALICE = new CollectionIdentity("alice", "aa".repeat(32));
    static final CollectionIdentity BOB = new CollectionIdentity("bob", "bb".repeat(32));
    static final long NOW_MS = 1_700_000_100_000L;

    final MonotonicClock clock = MonotonicClock.system();
    final AtomicLong nowMs = new AtomicLong(NOW_MS);
    final GatedCompiler compiler = new GatedCompiler(new InProcessCompiler(MANIFEST_KEY, LEDGER_KEY, clock));
    final List<TemplateObservation> buildable = new CopyOnWriteArrayList<>();
    final Map<BundleMetrics.Initial, AtomicInteger> initials = counters(BundleMetrics.Initial.class);
    final Map<BundleMetrics.Priority, AtomicInteger> priorities = counters(BundleMetrics.Priority.class);
    final Map<BundleMetrics.Build, AtomicInteger> buildCounts = counters(BundleMetrics.Build.class);
    final AtomicInteger windowReads = new AtomicInteger();
    volatile List<PriorBalance> balances = List.of();
    volatile List<WindowShare> shares = fiveShares();
    volatile boolean ready = true;
    volatile boolean tipUnpublished;
    volatile boolean storable = true;
    volatile Consumer<CancelSignal> beforePolicy = cancel -> {};

    final PayoutState payout;
    final PreparedWindows windows;
    final BundleService service;

    SmallPool() {
        this(BundleConfig.DEFAULT);
    }

    SmallPool(BundleConfig config) {
        BundleService[] self = new BundleService[1];
        PayoutEvents events = new PayoutEvents() {
            @Override
            public void fenced(long generation) {
                Optional.ofNullable(self[0]).ifPresent(BundleService::payoutFenced);
            }

            @Override
            public void published(PublishedPayout state) {
                Optional.ofNullable(self[0]).ifPresent(BundleService::payoutPublished);
            }
        };
        payout = new PayoutState(
                PayoutStateConfig.DEFAULT,
                new PayoutStatePorts(
                        (deadline, cancel) -> balances,
                        (height, deadline) -> Optional.empty(),
                        events,
                        new PayoutStateMetrics() {}),
                clock);
        publish();
        payout.parents().replayEnumerated();
        WindowClock wall = wall();
        windows = new PreparedWindows(
                PreparedWindowConfig.DEFAULT, source(), wall, payout.appends(), new PayoutStateMetrics() {});
        service = new BundleService(
                config,
                new BundleIdentity("/PRISM/", MANIFEST_KEY.publicKeyHex(), LEDGER_KEY.publicKeyHex()),
                new BundlePorts(
                        compiler,
                        payout,
                        windows,
                        wall,
                        (template, deadline, cancel) -> {
                            beforePolicy.accept(cancel);
                            return new BuildInputs(PayoutPolicy.DAY_ONE, Optional.empty());
                        },
                        conditions(),
                        metrics()),
                clock);
        self[0] = service;
        service.start();
    }

    void publish() {
        try {
            payout.publishCurrent(true, deadline(), CancelSignal.never());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Deadline deadline() {
        return Deadline.after(Duration.ofSeconds(30), clock, "test");
    }

    TemplateObservation template(int n, long generation, long curtime) {
        Hash256 parent = Hash256.ofDisplayHex(String.format("%064x", n));
        BlockTerms terms = new BlockTerms(
                parent,
                100 + n,
                5_000_000_000L,
                0x20000000,
                CompactTarget.ofHex("207fffff"),
                new BlockTerms.TimeLimits(curtime, curtime - 100, 7200));
        String fingerprint = Sha256.hex(new byte[] {(byte) n});
        TemplateObservation template = new TemplateObservation(
                generation,
                new TemplateFingerprint(fingerprint),
                new BlockTemplate(terms, TransactionSet.EMPTY, List.of(), 4_000_000),
                clock.nanoTime());
        buildable.add(template);
        return template;
    }

    TemplateObservation template() {
        return template(1, 1, 1_700_000_100L);
    }

    CompletableFuture<WorkBundle> publication(TemplateObservation template) {
        return service.request(BundleRequest.publication(template, clock.nanoTime()), deadline(), CancelSignal.never());
    }

    CompletableFuture<WorkBundle> initial(TemplateObservation template, CollectionIdentity worker) {
        return service.request(
                BundleRequest.initial(template, worker, clock.nanoTime()), deadline(), CancelSignal.never());
    }

    static List<WindowShare> fiveShares() {
        List<WindowShare> shares = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            String miner = i % 2 == 0 ? "bob" : "alice";
            shares.add(new WindowShare(
                    i,
                    "share-" + i,
                    new PayoutIdentity(miner, miner, (i % 2 == 0 ? "bb" : "aa").repeat(32)),
                    U128.ofUnsigned(1_000_000),
                    U128.ofUnsigned(1_000_000),
                    100,
                    "job-1",
                    NOW_MS - 10_000 + i,
                    NOW_MS - 9_000 + i,
                    1_700_000_000L,
                    Optional.empty()));
        }
        return List.copyOf(shares);
    }

    private WindowSource source() {
        return new WindowSource() {
            @Override
            public List<WindowShare> newest(long anchorMs, U128 weight, Deadline deadline) {
                windowReads.incrementAndGet();
                return shares.stream().filter(s -> s.isEligibleAt(anchorMs)).toList();
            }

            @Override
            public List<WindowShare> becameEligible(long afterMs, long anchorMs, Deadline deadline) {
                return shares.stream()
                        .filter(s -> s.isEligibleAt(anchorMs) && !s.isEligibleAt(afterMs))
                        .toList();
            }
        };
    }

    private WindowClock wall() {
        return new WindowClock() {
            @Override
            public long nowMs() {
                return nowMs.get();
            }

            @Override
            public long cleanAnchorMs() {
                return nowMs.get() - 1;
            }
        };
    }

    private WorkConditions conditions() {
        return new WorkConditions() {
            @Override
            public boolean poolReady() {
                return ready;
            }

            @Override
            public boolean tipUnpublished() {
                return tipUnpublished;
            }

            @Override
            @SuppressWarnings("ReferenceEquality")
            public boolean buildable(TemplateObservation template) {
                return buildable.stream().anyMatch(t -> t == template);
            }

            @Override
            public boolean storable(TemplateObservation template, boolean sameGeneration) {
                return storable;
            }
        };
    }

    private BundleMetrics metrics() {
        return new BundleMetrics() {
            @Override
            public void initial(Initial event) {
                count(initials, event);
            }

            @Override
            public void priority(Priority event) {
                count(priorities, event);
            }

            @Override
            public void build(Build event) {
                count(buildCounts, event);
            }
        };
    }

    static <E extends Enum<E>> Map<E, AtomicInteger> counters(Class<E> type) {
        Map<E, AtomicInteger> counters = new EnumMap<>(type);
        for (E value : type.getEnumConstants()) {
            counters.put(value, new AtomicInteger());
        }
        return counters;
    }

    private static <E> void count(Map<E, AtomicInteger> counters, E event) {
        AtomicInteger counter = counters.get(event);
        if (counter == null) {
            throw new IllegalStateException("unknown event " + event);
        }
        counter.incrementAndGet();
    }

    @Override
    public void close() {
        compiler.deaf = false;
        compiler.open();
        service.close();
    }
}

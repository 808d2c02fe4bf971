package org.prismpool.app.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.prismpool.app.composition.PoolView;
import org.prismpool.app.demo.miner.CpuMiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the whole pool in one process until it has found its blocks, and checks each of them from outside. */
public final class DemoRun {

    private static final Logger LOG = LoggerFactory.getLogger(DemoRun.class);
    private static final long TICK_MILLIS = 1000;
    private static final Duration TICK = Duration.ofMillis(TICK_MILLIS);
    private static final int SETTLE_TICKS = 30;

    private final DemoOptions options;
    private final LiveView view;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<CheckedBlock> blocks = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final FoundBlocks found;
    private long startedNanos;
    private long sharesInLedger;

    /**
     * Creates a run.
     *
     * @param options what to do
     * @param out for progress and blocks
     * @param terminal whether the output can redraw a line
     */
    public DemoRun(DemoOptions options, PrintWriter out, boolean terminal) {
        this.options = options;
        this.view = new LiveView(out, terminal);
        this.found = new FoundBlocks(view::line);
    }

    /** Ends the run early; from any thread, also a signal handler. */
    public void requestStop() {
        stop.countDown();
    }

    /**
     * Runs the demo in a directory.
     *
     * @param directory where chain, ledger and audit files are kept
     * @return how it ended
     * @throws DemoFailure if it cannot start
     * @throws InterruptedException if interrupted
     */
    public DemoSummary run(Path directory) throws DemoFailure, InterruptedException {
        startedNanos = System.nanoTime();
        Optional<PoolView> last = Optional.empty();
        double seconds;
        try (DemoPool pool = DemoPool.open(options, directory, found)) {
            if (pool.start()) {
                announce(pool);
                mine(pool);
                pool.miners().forEach(CpuMiner::close);
                settle(pool);
                last = pool.coordinator().view();
            } else {
                problems.add("stopped before the pool was ready");
            }
            seconds = seconds();
        }
        return summary(last, seconds);
    }

    private void announce(DemoPool pool) {
        String url = "stratum+tcp://127.0.0.1:" + pool.coordinator().stratumPort();
        view.line(url + "  user: a qbrt1... address[.worker]  password: x");
        if (options.keep()) {
            view.line("it listens on every address of this machine; an outside miner: minerd -a sha256d -o " + url
                    + " -u " + pool.spareAddress() + ".rig1 -p x");
        }
        pool.coordinator().httpPort().ifPresent(port -> {
            view.line("http://127.0.0.1:" + port + "/  the pool as its miners see it");
            view.line("http://127.0.0.1:" + port + "/healthz");
        });
    }

    private void mine(DemoPool pool) throws InterruptedException {
        BlockCheck check = pool.blockCheck();
        while (!stop.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
            takeBlocks(check, Duration.ZERO);
            if (blocks.size() >= options.blocks() && !options.keep()) {
                return;
            }
            if (pool.coordinator().stopRequested()) {
                problems.add("the coordinator stopped by itself; see the log file");
                return;
            }
            pool.coordinator()
                    .view()
                    .ifPresent(now -> view.status(now, MinerTotals.of(pool.miners(), seconds()), blocksSoFar()));
        }
        if (!options.keep() && blocks.size() < options.blocks()) {
            problems.add("stopped after " + blocks.size() + " of " + options.blocks() + " blocks");
        }
    }

    private String blocksSoFar() {
        return options.keep() ? String.valueOf(blocks.size()) : blocks.size() + "/" + options.blocks();
    }

    /** Found blocks must all be settled and every acknowledged share counted before the numbers are read. */
    private void settle(DemoPool pool) throws InterruptedException {
        BlockCheck check = pool.blockCheck();
        for (int tick = 0; tick < SETTLE_TICKS; tick++) {
            takeBlocks(check, tick == 0 ? Duration.ZERO : TICK);
            Optional<PoolView> now = pool.coordinator().view();
            sharesInLedger = now.map(PoolView::acceptedShares).orElse(0L);
            long acknowledged = MinerTotals.of(pool.miners(), 1).accepted();
            if (now.isPresent() && now.get().pendingCandidates() == 0 && sharesInLedger >= acknowledged) {
                return;
            }
        }
        problems.add("found blocks or shares are still not settled");
    }

    private void takeBlocks(BlockCheck check, Duration limit) throws InterruptedException {
        for (FoundBlocks.Found block : found.take(limit)) {
            CheckedBlock checked = check.check(block.hash(), block.height());
            blocks.add(checked);
            view.line(DemoReport.block(checked, block.finder()));
        }
    }

    private DemoSummary summary(Optional<PoolView> last, double seconds) {
        Map<String, Long> payouts = new TreeMap<>();
        for (CheckedBlock block : blocks) {
            block.payouts().forEach(payout -> payouts.merge(payout.address(), payout.amountSats(), Long::sum));
        }
        boolean enough = options.keep() || blocks.size() >= options.blocks();
        boolean ok = enough && problems.isEmpty() && blocks.stream().allMatch(CheckedBlock::good);
        return new DemoSummary(
                ok,
                seconds,
                blocks,
                last.map(PoolView::acceptedHere).orElse(0L),
                last.map(PoolView::refusedHere).orElse(Map.of()),
                sharesInLedger,
                payouts,
                problems);
    }

    private double seconds() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }

    /**
     * Runs the demo in its data directory, or in a temporary one that is deleted afterwards.
     *
     * @return how it ended
     * @throws DemoFailure if it cannot start
     * @throws InterruptedException if interrupted
     */
    public DemoSummary run() throws DemoFailure, InterruptedException {
        if (options.dataDirectory().isPresent()) {
            return run(options.dataDirectory().get());
        }
        Path temporary = temporaryDirectory();
        try {
            return run(temporary);
        } finally {
            delete(temporary);
        }
    }

    private static Path temporaryDirectory() throws DemoFailure {
        try {
            return Files.createTempDirectory("prism-demo-");
        } catch (IOException failed) {
            throw new DemoFailure("no temporary directory: " + failed.getMessage(), failed);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException failed) {
            LOG.atWarn().addKeyValue("directory", directory).setCause(failed).log("temporary directory not deleted");
        }
    }
}

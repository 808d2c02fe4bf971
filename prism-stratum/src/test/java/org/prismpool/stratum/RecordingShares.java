package org.prismpool.stratum;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.prismpool.templates.chain.Hash256;

/** A ledger and a block lane that remember what they were given. Thread-safe. */
public final class RecordingShares implements ShareSink, CandidateSink {

    public final List<AcceptedShare> shares = new ArrayList<>();
    public final List<BlockSolve> solves = new ArrayList<>();
    public final List<BlockSolve> enqueued = new ArrayList<>();
    public final List<BlockSolve> uncredited = new ArrayList<>();
    public final List<BlockSolve> unpersisted = new ArrayList<>();
    public final List<BlockSolve> landing = new ArrayList<>();
    public final List<Hash256> woken = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private final List<CompletableFuture<CommitResult>> held = new ArrayList<>();

    private CommitResult answer = new CommitResult.Durable(false);
    private LandingResult landingAnswer = LandingResult.NOT_LANDED;
    private boolean holding;
    private Optional<RuntimeException> fault = Optional.empty();

    public synchronized void answer(CommitResult result) {
        answer = result;
        fault = Optional.empty();
    }

    /** Commits throw until {@link #answer}. */
    public synchronized void fault(RuntimeException thrown) {
        fault = Optional.of(thrown);
    }

    public synchronized void landingAnswer(LandingResult result) {
        landingAnswer = result;
    }

    /** Commits stay open until {@link #release}. */
    public synchronized void hold() {
        holding = true;
    }

    public void release() {
        List<CompletableFuture<CommitResult>> open;
        CommitResult result;
        synchronized (this) {
            holding = false;
            open = List.copyOf(held);
            held.clear();
            result = answer;
        }
        open.forEach(future -> future.complete(result));
    }

    public synchronized int heldCommits() {
        return held.size();
    }

    public synchronized int shareCount() {
        return shares.size();
    }

    @Override
    public synchronized CompletionStage<CommitResult> commit(AcceptedShare share, Optional<BlockSolve> solve) {
        if (fault.isPresent()) {
            throw fault.get();
        }
        CommitResult result = answer;
        if (result instanceof CommitResult.Durable) {
            if (!ids.add(share.shareId())) {
                result = new CommitResult.Existing(false);
            } else {
                shares.add(share);
            }
        }
        solve.ifPresent(solves::add);
        if (holding) {
            CompletableFuture<CommitResult> open = new CompletableFuture<>();
            held.add(open);
            return open;
        }
        return CompletableFuture.completedFuture(result);
    }

    @Override
    public synchronized void enqueue(BlockSolve solve) {
        enqueued.add(solve);
    }

    @Override
    public synchronized CompletionStage<LandingResult> submitNow(BlockSolve solve) {
        landing.add(solve);
        return CompletableFuture.completedFuture(landingAnswer);
    }

    @Override
    public synchronized void offerUncredited(BlockSolve solve) {
        uncredited.add(solve);
    }

    @Override
    public synchronized void offerUnpersisted(BlockSolve solve) {
        unpersisted.add(solve);
    }

    @Override
    public synchronized void wake(Hash256 hash) {
        woken.add(hash);
    }
}

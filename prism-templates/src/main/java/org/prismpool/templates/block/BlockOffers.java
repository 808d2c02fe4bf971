package org.prismpool.templates.block;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcCodes;
import org.prismpool.templates.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the nodes: the parent test, the submission to the primary node, and at the same time to the further ones.
 *
 * <p>Thread-safe. Owns up to two threads {@code prism-templates-further-N} when there are further nodes.
 */
final class BlockOffers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BlockOffers.class);
    private static final int FURTHER_THREADS = 2;
    private static final int FURTHER_QUEUE = 64;

    private final NodeRpc node;
    private final List<NodeRpc> furtherNodes;
    private final OfferView view;
    private final CandidateMetrics metrics;
    private final LaneConfig config;
    private final MonotonicClock clock;
    private final ThreadPoolExecutor further;

    BlockOffers(CandidatePorts ports, LaneConfig config, MonotonicClock clock) {
        this.node = ports.node();
        this.furtherNodes = ports.furtherNodes();
        this.view = ports.view();
        this.metrics = ports.metrics();
        this.config = config;
        this.clock = clock;
        AtomicInteger number = new AtomicInteger();
        this.further = new ThreadPoolExecutor(
                FURTHER_THREADS,
                FURTHER_THREADS,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(FURTHER_QUEUE),
                task -> new Thread(task, "prism-templates-further-" + number.incrementAndGet()));
        this.further.allowCoreThreadTimeOut(true);
    }

    /** Tells whether a block on this parent is to be sent (spec 03 §6.2); doubt sends. */
    boolean parentAlive(Hash256 parent) {
        Optional<Hash256> detected = view.detectedTip();
        Optional<Hash256> published = view.publishedTip();
        if (detected.isPresent() && detected.get().equals(parent)) {
            return true;
        }
        boolean onPublished = published.isPresent() && published.get().equals(parent);
        if (detected.isEmpty() && onPublished) {
            return true;
        }
        boolean nothingKnown = detected.isEmpty() && published.isEmpty();
        return (onPublished || nothingKnown) && nodeAgrees(parent);
    }

    private boolean nodeAgrees(Hash256 parent) {
        try {
            return node.getBestBlockHash(submitDeadline()).equals(parent);
        } catch (RpcException e) {
            LOG.atWarn().addKeyValue("failure", e.getMessage()).log("parent test failed; the block is offered");
            return true;
        }
    }

    OfferOutcome submit(BlockCandidate candidate) {
        return submit(candidate, submitDeadline());
    }

    OfferOutcome submit(BlockCandidate candidate, Deadline deadline) {
        furtherNodes.forEach(each -> submitFurther(each, candidate));
        try {
            return node.submitBlock(candidate.blockHex(), deadline)
                    .map(OfferOutcome::ofAnswer)
                    .orElseGet(OfferOutcome.Accepted::new);
        } catch (RpcException e) {
            if (e.failure().code() == RpcCodes.DECODE_FAILED) {
                LOG.atError()
                        .addKeyValue("block", candidate.hash().displayHex())
                        .log("the node can't decode a block that this pool has assembled");
            }
            return new OfferOutcome.Undecided(
                    String.valueOf(e.getMessage()), e.failure().outcomeUnknown());
        }
    }

    private void submitFurther(NodeRpc each, BlockCandidate candidate) {
        try {
            further.execute(() -> recordFurther(each, candidate));
        } catch (RejectedExecutionException e) {
            LOG.atWarn()
                    .addKeyValue("block", candidate.hash().displayHex())
                    .log("further node skipped: too many submissions wait");
        }
    }

    private void recordFurther(NodeRpc each, BlockCandidate candidate) {
        String answer;
        boolean mayHaveLanded = false;
        try {
            Optional<String> text = each.submitBlock(candidate.blockHex(), submitDeadline());
            answer = text.orElse("accepted");
            mayHaveLanded = text.map(OfferOutcome::ofAnswer)
                    .orElseGet(OfferOutcome.Accepted::new)
                    .mayHaveLanded();
        } catch (RpcException e) {
            answer = String.valueOf(e.getMessage());
        }
        metrics.furtherNodeAnswered(mayHaveLanded);
        LOG.atInfo()
                .addKeyValue("block", candidate.hash().displayHex())
                .addKeyValue("answer", answer)
                .log("further node answered");
    }

    private Deadline submitDeadline() {
        return Deadline.after(config.submitTimeout(), clock, "block offer");
    }

    @Override
    public void close() {
        further.shutdownNow();
        try {
            further.awaitTermination(config.submitTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

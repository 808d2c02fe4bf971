package org.prismpool.app.devnode.rpc;

import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.app.devnode.fault.ShownView;
import org.prismpool.app.devnode.fault.SubmitScript;
import org.prismpool.app.devnode.fault.TemplateTamper;
import org.prismpool.app.devnode.mining.BlockFactory;
import org.prismpool.app.devnode.state.NodeCore;
import org.prismpool.app.devnode.validation.BlockDecoder;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * What the methods work on.
 *
 * @param core the chain behind its lock
 * @param decoder decodes submitted blocks
 * @param blocks mines blocks and hands out addresses
 * @param view what the node says about itself
 * @param submitScript scripted answers of {@code submitblock}
 * @param tamper changes templates on their way out
 * @param templateHoldSeconds age that a template must have before a change of the mempool alone replaces it
 * @param uptime monotonic clock
 * @param startNanos its reading at the start
 * @param stopRequests counts calls of {@code stop}
 */
public record RpcContext(
        NodeCore core,
        BlockDecoder decoder,
        BlockFactory blocks,
        ShownView view,
        SubmitScript submitScript,
        TemplateTamper tamper,
        long templateHoldSeconds,
        MonotonicClock uptime,
        long startNanos,
        AtomicLong stopRequests) {}

package org.prismpool.stratum.session;

import java.time.Clock;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.stratum.CandidateSink;
import org.prismpool.stratum.JobDirectory;
import org.prismpool.stratum.JobIssuer;
import org.prismpool.stratum.ListenerWatch;
import org.prismpool.stratum.PayoutAddresses;
import org.prismpool.stratum.PoolState;
import org.prismpool.stratum.ShareSink;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.TipView;

/**
 * The ports of one server.
 *
 * @param addresses who can be paid
 * @param issuer hands jobs out
 * @param directory finds jobs for submits
 * @param shares makes shares durable
 * @param candidates offers blocks
 * @param tips view of the chain tip
 * @param pool the pool's life cycle
 * @param metrics counters
 * @param watch watchdog of the accept loops
 * @param clock monotonic time
 * @param wallClock wall clock
 */
public record SessionPorts(
        PayoutAddresses addresses,
        JobIssuer issuer,
        JobDirectory directory,
        ShareSink shares,
        CandidateSink candidates,
        TipView tips,
        PoolState pool,
        StratumMetrics metrics,
        ListenerWatch watch,
        MonotonicClock clock,
        Clock wallClock) {}

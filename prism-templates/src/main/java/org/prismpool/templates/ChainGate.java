package org.prismpool.templates;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start checks against the node, to be made in the order of spec 01 §5.6, and the judgement of its chain before each
 * payout decision.
 *
 * <p>Thread-safe; methods block on the node.
 */
public final class ChainGate {

    private static final Logger LOG = LoggerFactory.getLogger(ChainGate.class);

    private final Config config;
    private final NodeRpc node;
    private final MonotonicClock clock;
    private final InstantSource wallClock;

    /**
     * Settings of the checks.
     *
     * @param network network that the node must be on
     * @param expectedGenesis hash of block 0, checked when present; mandatory on the main network
     * @param minPeers least number of peers on a public network, 1 or more
     * @param templateMaxAge oldest template time that passes
     * @param nodeWait longest wait for a node that starts
     * @param nodeProbeInterval pause between two probes of such a node
     */
    public record Config(
            Network network,
            Optional<Hash256> expectedGenesis,
            int minPeers,
            Duration templateMaxAge,
            Duration nodeWait,
            Duration nodeProbeInterval) {

        /** Checks the ranges. */
        public Config {
            if (network == Network.MAINNET && expectedGenesis.isEmpty()) {
                throw new IllegalArgumentException("QBIT_EXPECTED_GENESIS_HASH is required on the main network");
            }
            if (minPeers < 1 || templateMaxAge.isNegative()) {
                throw new IllegalArgumentException("peers are 1 or more, the template age is not negative");
            }
        }

        /**
         * Creates settings with every default: 1 peer, 120 s, 60 s, 1 s.
         *
         * @param network network that the node must be on
         * @param expectedGenesis hash of block 0
         * @return the settings
         */
        public static Config of(Network network, Optional<Hash256> expectedGenesis) {
            return new Config(
                    network,
                    expectedGenesis,
                    1,
                    Duration.ofSeconds(120),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(1));
        }
    }

    /**
     * Creates a gate.
     *
     * @param config settings
     * @param node the node
     * @param clock clock of waits
     * @param wallClock clock that template times are compared with
     */
    public ChainGate(Config config, NodeRpc node, MonotonicClock clock, InstantSource wallClock) {
        this.config = config;
        this.node = node;
        this.clock = clock;
        this.wallClock = wallClock;
    }

    /**
     * Waits for the node to answer at all, probing {@code getblockcount}.
     *
     * @param cancel ends the wait early
     * @return refusal if the node does not answer in time
     */
    public GateVerdict awaitNode(CancelSignal cancel) {
        Deadline deadline = Deadline.after(config.nodeWait(), clock, "node start");
        CountDownLatch cancelled = new CountDownLatch(1);
        CancelSignal.Registration registration = cancel.onCancel(cancelled::countDown);
        try {
            String failure = "not asked yet";
            while (!deadline.expired() && !cancel.cancelled()) {
                Optional<String> problem = probe(deadline, cancel);
                if (problem.isEmpty()) {
                    return GateVerdict.PASSED;
                }
                failure = problem.get();
                pause(cancelled, deadline);
            }
            return GateVerdict.refused("node does not answer: " + failure);
        } finally {
            registration.close();
        }
    }

    private Optional<String> probe(Deadline deadline, CancelSignal cancel) {
        try {
            node.cancelledBy(cancel).getBlockCount(deadline);
            return Optional.empty();
        } catch (RpcException e) {
            LOG.atInfo().addKeyValue("failure", e.getMessage()).log("waiting for the node");
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void pause(CountDownLatch cancelled, Deadline deadline) {
        long nanos = Math.min(config.nodeProbeInterval().toNanos(), deadline.remainingNanos());
        try {
            if (cancelled.await(nanos, TimeUnit.NANOSECONDS)) {
                LOG.atDebug().log("wait for the node cancelled");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the node", e);
        }
    }

    /**
     * Checks that the node is on the configured chain, and on a public one in step with its peers.
     *
     * @param deadline latest end of all calls together
     * @return refusal with the first mismatch
     */
    public GateVerdict checkIdentity(Deadline deadline) {
        try {
            ChainInfo info = node.getBlockchainInfo(deadline);
            if (Network.ofName(info.chain()).filter(config.network()::equals).isEmpty()) {
                return GateVerdict.refused(
                        "QBIT_CHAIN is " + config.network().chainName() + " but the node reports another chain");
            }
            GateVerdict genesis = checkGenesis(deadline);
            return genesis.passed() && config.network().isPublic() ? checkPublic(info, deadline) : genesis;
        } catch (RpcException e) {
            return GateVerdict.refused("chain identity can't be checked: " + e.getMessage());
        }
    }

    private GateVerdict checkGenesis(Deadline deadline) {
        if (config.expectedGenesis().isEmpty()) {
            return GateVerdict.PASSED;
        }
        Hash256 genesis = node.getBlockHash(0, deadline);
        return genesis.equals(config.expectedGenesis().get())
                ? GateVerdict.PASSED
                : GateVerdict.refused("QBIT_EXPECTED_GENESIS_HASH differs from the node's block 0");
    }

    private GateVerdict checkPublic(ChainInfo info, Deadline deadline) {
        ChainTrust trust = ChainTrust.of(config.network(), info);
        if (!trust.trusted()) {
            return GateVerdict.refused(
                    "node is not in step: " + trust.distrust().orElse(""));
        }
        long peers = node.getConnections(deadline);
        return peers >= config.minPeers()
                ? GateVerdict.PASSED
                : GateVerdict.refused("node has " + peers + " peers, PRISM_MIN_PEERS is " + config.minPeers());
    }

    /**
     * Checks that the node gives a template that is not old.
     *
     * @param deadline latest end
     * @return refusal if there is none, it names no parent, or its time lies too far back; a time ahead passes
     */
    public GateVerdict checkTemplate(Deadline deadline) {
        try {
            JsonNode template = node.getBlockTemplate(config.network().templateRules(), deadline);
            TemplateReader.parent(template);
            JsonNode curtime = template.path("curtime");
            if (!curtime.isIntegralNumber()) {
                return GateVerdict.refused("template has no curtime");
            }
            long age = wallClock.instant().getEpochSecond() - curtime.longValue();
            return age <= config.templateMaxAge().toSeconds()
                    ? GateVerdict.PASSED
                    : GateVerdict.refused("template is " + age + " s old, PRISM_TEMPLATE_MAX_AGE_SECONDS is "
                            + config.templateMaxAge().toSeconds());
        } catch (RpcException | TemplateRefusedException e) {
            return GateVerdict.refused("no usable template: " + e.getMessage());
        }
    }

    /**
     * Checks that a fee rate is not below what the node relays and keeps.
     *
     * @param feeRate coins per 1000 bytes
     * @param deadline latest end
     * @return refusal if it is, or if the node names no floor
     */
    public GateVerdict checkFeeRate(BigDecimal feeRate, Deadline deadline) {
        Optional<BigDecimal> floor;
        try {
            floor = node.getFeeFloors(deadline).highest();
        } catch (RpcException e) {
            return GateVerdict.refused("fee floor can't be read: " + e.getMessage());
        }
        if (floor.isEmpty()) {
            return GateVerdict.refused("node names no fee floor");
        }
        return feeRate.compareTo(floor.get()) >= 0
                ? GateVerdict.PASSED
                : GateVerdict.refused("fee rate " + feeRate.toPlainString() + " is below the node's floor "
                        + floor.get().toPlainString());
    }

    /**
     * Judges the node's chain at this moment, for one decision about payouts.
     *
     * @param deadline latest end
     * @return trusted, or why not
     * @throws RpcException if the node could not be asked
     */
    public ChainTrust trust(Deadline deadline) {
        ChainTrust trust = ChainTrust.of(config.network(), node.getBlockchainInfo(deadline));
        trust.distrust()
                .ifPresent(reason -> LOG.atWarn().addKeyValue("reason", reason).log("chain view is not trusted"));
        return trust;
    }
}

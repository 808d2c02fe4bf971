package org.prismpool.app.composition;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.prismpool.app.composition.backend.NodeParts;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.CtvVariables;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.ChainGate;
import org.prismpool.templates.GateVerdict;
import org.prismpool.templates.TemplateRefusedException;
import org.prismpool.templates.VersionMaskProbe;
import org.prismpool.templates.chain.Hash256;

/** Runs the start checks against the node in their order; each refusal names what to look at. Source: spec 01 §5.6. */
final class StartChecks {

    private static final Duration NODE_WAIT = Duration.ofSeconds(60);
    private static final Duration NODE_PROBE = Duration.ofSeconds(1);

    private final Environment e;
    private final NodeParts parts;
    private final MonotonicClock clock;
    private final ChainGate gate;

    StartChecks(Environment e, NodeParts parts, MonotonicClock clock) {
        this.e = e;
        this.parts = parts;
        this.clock = clock;
        this.gate = new ChainGate(
                new ChainGate.Config(
                        parts.network(),
                        e.find(NodeVariables.QBIT_EXPECTED_GENESIS_HASH).map(Hash256::ofDisplayHex),
                        e.get(NodeVariables.MIN_PEERS),
                        // unset for a process that asks for no template
                        Duration.ofSeconds(e.find(RefreshVariables.TEMPLATE_MAX_AGE_SECONDS)
                                .orElse(0)),
                        NODE_WAIT,
                        NODE_PROBE),
                parts.rpc(),
                clock,
                InstantSource.system());
    }

    /** Asks which version bits miners may roll; only a malformed answer refuses the start. */
    VersionMaskProbe.Probed versionMask() throws StartFailure {
        try {
            return VersionMaskProbe.probe(
                    parts.rpc(), parts.network(), e.get(DifficultyVariables.VERSION_ROLLING_MASK), deadline());
        } catch (TemplateRefusedException malformed) {
            throw new StartFailure("the node's template is refused: " + malformed.getMessage(), malformed);
        }
    }

    /** Waits for the node to answer at all. */
    void awaitNode(CancelSignal cancel) throws StartFailure {
        GateVerdict verdict = gate.awaitNode(cancel);
        if (cancel.cancelled()) {
            throw new CancelledException(cancel.reason().orElse("stopped"));
        }
        require(verdict, address() + "; check QBIT_RPC_HOST, QBIT_RPC_PORT, QBIT_RPC_USER and QBIT_RPC_PASSWORD");
    }

    /** Checks identity, template and fee floor. */
    void run() throws StartFailure {
        identity();
        require(gate, ChainGate::checkTemplate);
        Optional<Long> rate = e.find(CtvVariables.CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT);
        if (e.get(CtvVariables.CTV_SETTLEMENT_ENABLED) && rate.isPresent()) {
            BigDecimal coins = BigDecimal.valueOf(rate.get(), 8);
            require(
                    gate.checkFeeRate(coins, deadline()),
                    "check PRISM_CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT");
        }
    }

    /** Checks chain, genesis and, on a public chain, that the node is in step. */
    void identity() throws StartFailure {
        require(gate, ChainGate::checkIdentity);
    }

    private interface Check {
        GateVerdict of(ChainGate gate, Deadline deadline);
    }

    private void require(ChainGate checked, Check check) throws StartFailure {
        require(check.of(checked, deadline()), address());
    }

    private static void require(GateVerdict verdict, String where) throws StartFailure {
        if (!verdict.passed()) {
            throw new StartFailure("start check failed: " + verdict + " (" + where + ")");
        }
    }

    private String address() {
        return "node at " + e.get(NodeVariables.QBIT_RPC_HOST) + ":" + e.get(NodeVariables.QBIT_RPC_PORT);
    }

    private Deadline deadline() {
        return Deadline.after(e.get(NodeVariables.QBIT_RPC_TIMEOUT_SECONDS), clock, "start-check");
    }
}

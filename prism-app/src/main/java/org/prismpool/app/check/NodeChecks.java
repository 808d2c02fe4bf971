package org.prismpool.app.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.CtvVariables;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.config.variable.PayoutVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.TemplateRefusedException;
import org.prismpool.templates.VersionMaskProbe;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.VersionLayout;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.WalletRpc;

/** Rows about the node; the first that fails to reach it ends them. Source: spec 01 §6.3. */
final class NodeChecks {

    private static final String P2MR_SCRIPT = "5220[0-9a-f]{64}";
    private static final int COIN_DIGITS = 8;

    private final NodeRpc node;
    private final WalletRpc wallet;
    private final Network network;
    private final Environment e;
    private final Prelaunch prelaunch;
    private final Supplier<Deadline> deadline;
    private final InstantSource wallClock;

    NodeChecks(
            NodeRpc node,
            WalletRpc wallet,
            Network network,
            Environment e,
            Prelaunch prelaunch,
            Supplier<Deadline> deadline,
            InstantSource wallClock) {
        this.node = node;
        this.wallet = wallet;
        this.network = network;
        this.e = e;
        this.prelaunch = prelaunch;
        this.deadline = deadline;
        this.wallClock = wallClock;
    }

    List<CheckRow> rows() {
        List<CheckRow> rows = new ArrayList<>();
        if (chainRows(rows)) {
            templateRows(rows);
            genesis().ifPresent(rows::add);
            feeRows(rows);
            rows.add(peers());
            feeAddress().ifPresent(rows::add);
            broadcasterWallet().ifPresent(rows::add);
        }
        return rows;
    }

    /** The rows of a process that builds no work and pays nobody. */
    List<CheckRow> rowsOfReader() {
        List<CheckRow> rows = new ArrayList<>();
        if (chainRows(rows)) {
            genesis().ifPresent(rows::add);
            rows.add(peers());
        }
        return rows;
    }

    /** Adds what the node says of its chain; false if it says nothing. */
    private boolean chainRows(List<CheckRow> rows) {
        ChainInfo info;
        try {
            info = node.getBlockchainInfo(deadline.get());
        } catch (RpcException failed) {
            rows.add(CheckRow.fail("qbit.rpc", String.valueOf(failed.getMessage()))
                    .withHint("check QBIT_RPC_HOST, QBIT_RPC_PORT, QBIT_RPC_USER and QBIT_RPC_PASSWORD"));
            return false;
        }
        rows.add(CheckRow.pass("qbit.rpc", "answers"));
        rows.add(chain(info));
        rows.add(download(info));
        rows.add(headers(info));
        return true;
    }

    private CheckRow chain(ChainInfo info) {
        boolean same = Network.ofName(info.chain()).filter(network::equals).isPresent();
        return CheckRow.judged(
                same, "qbit.rpc_chain", "the node is on " + info.chain() + ", QBIT_CHAIN is " + network.chainName());
    }

    private CheckRow download(ChainInfo info) {
        boolean done = network.isPublic()
                ? info.initialDownload().equals(Optional.of(false))
                : !info.initialDownload().equals(Optional.of(true));
        return done
                ? CheckRow.pass("qbit.ibd", "not in initial download")
                : prelaunch.notYet("qbit.ibd", "the node is in initial download, or does not say");
    }

    private CheckRow headers(ChainInfo info) {
        String detail = "blocks " + info.blocks() + ", headers " + info.headers();
        boolean caughtUp = info.blocks().isPresent()
                && info.blocks().getAsLong() >= 0
                && info.blocks().equals(info.headers());
        return CheckRow.judged(!network.isPublic() || caughtUp, "qbit.headers", detail);
    }

    private void templateRows(List<CheckRow> rows) {
        JsonNode template;
        try {
            template = node.getBlockTemplate(network.templateRules(), deadline.get());
        } catch (RpcException failed) {
            rows.add(CheckRow.judged(!network.isPublic(), "qbit.template", String.valueOf(failed.getMessage())));
            return;
        }
        rows.add(template(template));
        rows.add(mask(template));
    }

    private CheckRow template(JsonNode template) {
        int limit = e.get(RefreshVariables.TEMPLATE_MAX_AGE_SECONDS);
        JsonNode curtime = template.path("curtime");
        boolean parent = template.path("previousblockhash").isTextual();
        if (!parent || !curtime.isIntegralNumber()) {
            return CheckRow.judged(!network.isPublic(), "qbit.template", "previousblockhash or curtime is missing");
        }
        long age = wallClock.instant().getEpochSecond() - curtime.longValue();
        return CheckRow.judged(
                !network.isPublic() || age <= limit, "qbit.template", "age " + age + " s, limit " + limit + " s");
    }

    private CheckRow mask(JsonNode template) {
        int fallback = e.get(DifficultyVariables.VERSION_ROLLING_MASK);
        if (!template.has("versionrollingmask")) {
            return CheckRow.warn(
                    "qbit.mask", "the template names none; the configured " + VersionLayout.hex(fallback) + " is used");
        }
        try {
            int mask = VersionMaskProbe.ask(node, network, fallback, deadline.get());
            return CheckRow.pass("qbit.mask", VersionLayout.hex(mask));
        } catch (TemplateRefusedException malformed) {
            return CheckRow.fail("qbit.mask", String.valueOf(malformed.getMessage()));
        }
    }

    private Optional<CheckRow> genesis() {
        return e.find(NodeVariables.QBIT_EXPECTED_GENESIS_HASH).map(expected -> {
            try {
                String actual = node.getBlockHash(0, deadline.get()).displayHex();
                return CheckRow.judged(actual.equals(expected), "qbit.genesis", "the node's block 0 is " + actual);
            } catch (RpcException failed) {
                return CheckRow.fail("qbit.genesis", String.valueOf(failed.getMessage()));
            }
        });
    }

    private void feeRows(List<CheckRow> rows) {
        if (!e.find(CtvVariables.CTV_SETTLEMENT_ENABLED).orElse(false)) {
            return;
        }
        Optional<Long> fixed = e.find(CtvVariables.CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT);
        rows.add(fixed.map(this::relayFloor).orElseGet(this::estimator));
    }

    private CheckRow relayFloor(long rate) {
        try {
            Optional<BigDecimal> floor = node.getFeeFloors(deadline.get()).highest();
            if (floor.isEmpty()) {
                return CheckRow.fail("ctv.relay_floor", "the node reports no floor");
            }
            long bits = bitsPer1000Weight(floor.get());
            return CheckRow.judged(rate >= bits, "ctv.relay_floor", "rate " + rate + ", floor " + bits);
        } catch (RpcException | ArithmeticException failed) {
            return CheckRow.fail("ctv.relay_floor", String.valueOf(failed.getMessage()));
        }
    }

    private CheckRow estimator() {
        int target = e.get(CtvVariables.CTV_FANOUT_FEE_ESTIMATE_TARGET_BLOCKS);
        try {
            return node.estimateSmartFee(target, deadline.get())
                    .feeRate()
                    .map(rate -> CheckRow.pass("ctv.fee_estimator", bitsPer1000Weight(rate) + " bits per 1000 weight"))
                    .orElseGet(() -> CheckRow.fail("ctv.fee_estimator", "the node has no estimate")
                            .withHint("set PRISM_CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT"));
        } catch (RpcException | ArithmeticException failed) {
            return CheckRow.fail("ctv.fee_estimator", String.valueOf(failed.getMessage()));
        }
    }

    private static long bitsPer1000Weight(BigDecimal coinsPerKvb) {
        return coinsPerKvb
                .movePointRight(COIN_DIGITS)
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    private CheckRow peers() {
        int least = e.get(NodeVariables.MIN_PEERS);
        try {
            long peers = node.getConnections(deadline.get());
            return CheckRow.judged(
                    !network.isPublic() || peers >= least, "qbit.peers", peers + " peers, at least " + least);
        } catch (RpcException failed) {
            String detail = String.valueOf(failed.getMessage());
            return network.isPublic() ? CheckRow.fail("qbit.peers", detail) : CheckRow.warn("qbit.peers", detail);
        }
    }

    private Optional<CheckRow> feeAddress() {
        if (!e.find(PayoutVariables.POOL_FEE_ENABLED).orElse(false)) {
            return Optional.empty();
        }
        return e.find(PayoutVariables.POOL_FEE_ADDRESS).map(address -> {
            try {
                boolean payable = node.validateAddress(address, deadline.get())
                        .filter(script -> script.matches(P2MR_SCRIPT))
                        .isPresent();
                return CheckRow.judged(payable, "pool.fee_address", payable ? address : "no P2MR address on this node");
            } catch (RpcException failed) {
                return CheckRow.fail("pool.fee_address", String.valueOf(failed.getMessage()));
            }
        });
    }

    private Optional<CheckRow> broadcasterWallet() {
        long fee = e.find(CtvVariables.CTV_BROADCASTER_FEE_BITS).orElse(0L);
        boolean on = e.find(CtvVariables.CTV_BROADCASTER_ENABLED).orElse(false);
        Optional<String> name = e.find(CtvVariables.CTV_BROADCASTER_WALLET);
        if (!on || fee <= 0 || name.isEmpty()) {
            return Optional.empty();
        }
        BigDecimal needed = BigDecimal.valueOf(fee, COIN_DIGITS);
        try {
            boolean funded = wallet.listUnspent(name.get(), deadline.get()).stream()
                    .anyMatch(output -> output.amount().compareTo(needed) > 0);
            return Optional.of(
                    funded
                            ? CheckRow.pass("ctv.wallet", "can pay the fee")
                            : CheckRow.warn("ctv.wallet", "no spendable output above the fee"));
        } catch (RpcException failed) {
            return Optional.of(CheckRow.fail("ctv.wallet", String.valueOf(failed.getMessage())));
        }
    }

    /** Longest wait for one answer of the node. */
    static final Duration LIMIT = Duration.ofSeconds(5);
}

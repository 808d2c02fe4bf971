package org.prismpool.app.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.BlockPlace;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.FeeEstimate;
import org.prismpool.templates.rpc.FeeFloors;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;
import org.prismpool.templates.rpc.RpcMethod;

/** A node that says what a test wants. */
final class FakeNode implements NodeRpc {

    String chain = "main";
    Optional<Boolean> initialDownload = Optional.of(false);
    OptionalLong blocks = OptionalLong.of(100);
    OptionalLong headers = OptionalLong.of(100);
    long peers = 8;
    boolean down;
    String genesis = "0".repeat(64);
    Optional<BigDecimal> floor = Optional.of(new BigDecimal("0.00001"));
    Optional<BigDecimal> estimate = Optional.of(new BigDecimal("0.00001001"));
    Optional<String> script = Optional.of("5220" + "ab".repeat(32));
    final ObjectNode template = JsonNodeFactory.instance
            .objectNode()
            .put("previousblockhash", "ab".repeat(32))
            .put("curtime", 1_700_000_000L)
            .put("versionrollingmask", "1fffe000");

    @Override
    public NodeRpc cancelledBy(CancelSignal cancel) {
        return this;
    }

    @Override
    public JsonNode getBlockTemplate(List<String> rules, Deadline deadline) {
        return template;
    }

    @Override
    public ChainInfo getBlockchainInfo(Deadline deadline) {
        if (down) {
            throw new RpcException(RpcMethod.GET_BLOCKCHAIN_INFO, new RpcFailure.NotSent("connect refused"));
        }
        return new ChainInfo(chain, initialDownload, blocks, headers, Optional.empty(), Optional.empty());
    }

    @Override
    public Hash256 getBlockHash(long height, Deadline deadline) {
        return Hash256.ofDisplayHex(genesis);
    }

    @Override
    public long getConnections(Deadline deadline) {
        return peers;
    }

    @Override
    public FeeFloors getFeeFloors(Deadline deadline) {
        return new FeeFloors(floor, Optional.empty());
    }

    @Override
    public FeeEstimate estimateSmartFee(int targetBlocks, Deadline deadline) {
        return new FeeEstimate(estimate, List.of());
    }

    @Override
    public Optional<String> validateAddress(String address, Deadline deadline) {
        return script;
    }

    @Override
    public Hash256 getBestBlockHash(Deadline deadline) {
        throw unasked();
    }

    @Override
    public Optional<Hash256> waitForNewBlock(Duration wait, Hash256 known, Deadline deadline) {
        throw unasked();
    }

    @Override
    public long getBlockCount(Deadline deadline) {
        throw unasked();
    }

    @Override
    public Optional<BlockPlace> getBlockHeader(Hash256 hash, Deadline deadline) {
        throw unasked();
    }

    @Override
    public Optional<Hash256> getBlockParent(Hash256 hash, Deadline deadline) {
        throw unasked();
    }

    @Override
    public Optional<String> submitBlock(String blockHex, Deadline deadline) {
        throw unasked();
    }

    private static AssertionError unasked() {
        return new AssertionError("a check does not ask this");
    }
}

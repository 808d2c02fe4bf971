package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.BlockPlace;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.HttpNodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;
import org.prismpool.templates.rpc.WalletRpc;

/**
 * The pool's client and a node understand each other, answers and refusals: a development node, or an outside one, as
 * {@link RegtestNode} says.
 */
class RegtestNodeCallsIT {

    private static final Hash256 UNKNOWN = Hash256.ofDisplayHex("33".repeat(32));

    @AutoClose
    private static RegtestNode node;

    private static HttpNodeRpc rpc;
    private static PaidBlock newest;

    @BeforeAll
    static void open() {
        node = RegtestNode.open();
        rpc = node.rpc();
        newest = PaidBlock.job(node.template(), PaidBlock.recipients(2)).solved(1);
        assertThat(node.submit(newest.block().hex())).isEmpty();
    }

    @Test
    void theChainIsRead() {
        Hash256 tip = newest.block().hash();
        long height = newest.block().height();
        Hash256 genesis = rpc.getBlockHash(0, RegtestNode.soon());

        assertThat(rpc.getBestBlockHash(RegtestNode.soon())).isEqualTo(tip);
        assertThat(rpc.getBlockCount(RegtestNode.soon())).isEqualTo(height);
        assertThat(rpc.getBlockHash(height, RegtestNode.soon())).isEqualTo(tip);
        assertThat(rpc.getBlockHeader(tip, RegtestNode.soon())).contains(new BlockPlace(height, 1));
        assertThat(rpc.getBlockHeader(UNKNOWN, RegtestNode.soon())).isEmpty();
        assertThat(rpc.getBlockParent(tip, RegtestNode.soon()))
                .contains(newest.block().parent());
        assertThat(rpc.getBlockParent(genesis, RegtestNode.soon())).isEmpty();
        ChainInfo info = rpc.getBlockchainInfo(RegtestNode.soon());
        assertThat(info.blocks()).hasValue(height);
        assertThat(info.headers()).hasValue(height);
        assertThat(info.bestBlock()).contains(tip);
        assertThat(info.bits()).contains("207fffff");
        assertThat(info.initialDownload()).contains(false);
    }

    @Test
    void theNodeIsAskedAboutItself() {
        assertThat(rpc.getConnections(RegtestNode.soon())).isNotNegative();
        assertThat(rpc.getFeeFloors(RegtestNode.soon()).highest().orElseThrow()).isPositive();
        assertThat(rpc.estimateSmartFee(6, RegtestNode.soon()).errors()).isNotEmpty();
        assertThat(rpc.validateAddress("nonsense", RegtestNode.soon())).isEmpty();
    }

    @Test
    void aKnownOldTipIsAnsweredAtOnceAndThePresentOneAtTheTimeout() {
        Hash256 tip = newest.block().hash();
        assertThat(rpc.waitForNewBlock(Duration.ofSeconds(25), newest.block().parent(), RegtestNode.soon()))
                .contains(tip);
        assertThat(rpc.waitForNewBlock(Duration.ofMillis(200), tip, RegtestNode.soon()))
                .contains(tip);
    }

    @Test
    void transactionsAreLookedUp() {
        WalletRpc wallet = rpc.wallet();
        Hash256 coinbase = Hash256.ofDisplayHex(newest.manifest().manifest().coinbaseTxid());

        assertThat(wallet.isUnspent(coinbase, 0, RegtestNode.soon())).isTrue();
        assertThat(wallet.isUnspent(coinbase, 2, RegtestNode.soon()))
                .as("the commitment")
                .isFalse();
        assertThat(wallet.getRawMempool(RegtestNode.soon())).doesNotContain(coinbase);
        assertThat(wallet.getConfirmations(UNKNOWN, RegtestNode.soon())).isEqualTo(OptionalLong.empty());
        assertThat(wallet.getBlockConfirmations(newest.block().hash(), RegtestNode.soon()))
                .hasValue(1);
        assertThat(wallet.getBlockConfirmations(UNKNOWN, RegtestNode.soon())).isEmpty();
        assertThat(wallet.getBlockWithTransactions(newest.block().hash(), RegtestNode.soon())
                        .orElseThrow()
                        .at("/tx/0/txid")
                        .asText())
                .isEqualTo(coinbase.displayHex());
    }

    @Test
    void refusalsCarryTheNodesCodes() {
        WalletRpc wallet = rpc.wallet();
        assertThat(code(() -> rpc.getBlockHash(1 << 30, RegtestNode.soon()))).isEqualTo(-8);
        assertThat(code(() -> rpc.getBlockTemplate(List.of(), RegtestNode.soon())))
                .isEqualTo(-8);
        assertThat(code(() -> rpc.submitBlock("00".repeat(80), RegtestNode.soon())))
                .isEqualTo(-22);
        assertThat(code(() -> wallet.sendRawTransaction("00", RegtestNode.soon())))
                .isEqualTo(-22);
        assertThat(code(() -> wallet.submitPackage("00", "01", RegtestNode.soon())))
                .isEqualTo(-22);
    }

    private static int code(Supplier<?> call) {
        RpcFailure failure = catchThrowableOfType(RpcException.class, call::get).failure();
        assertThat(failure.outcomeUnknown()).isFalse();
        return failure.code();
    }
}

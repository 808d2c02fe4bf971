package org.prismpool.templates.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;

/** The table of methods (spec 01 §5.5): what each call sends, what it reads, and what an odd answer means. */
class NodeCallsIT {

    private static final String HASH = "0ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6";
    private static final Hash256 BLOCK = Hash256.ofDisplayHex(HASH);

    private final ScriptedNode node = new ScriptedNode((request, connection) -> connection.result(request, "null"));
    private final HttpNodeRpc rpc = HttpNodeRpc.to(node.endpoint());
    private final WalletRpc wallet = rpc.wallet();

    @AfterEach
    void stop() throws IOException {
        rpc.close();
        node.close();
    }

    private static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(20), MonotonicClock.system(), "test");
    }

    /** Makes a call that is answered with a result; returns what the client made of it. */
    private <T> T answered(String json, Supplier<T> call) {
        node.behave((request, connection) -> connection.result(request, json));
        return call.get();
    }

    /** Makes a call that is answered with an error object. */
    private <T> T refused(int code, Supplier<T> call) {
        node.behave((request, connection) -> connection.error(request, 500, code, "text of the node"));
        return call.get();
    }

    private void assertSent(String path, String method, String params) {
        ScriptedNode.Received last = node.requests().get(node.requests().size() - 1);
        assertThat(last.head()).startsWith("POST " + path + " HTTP/1.1");
        assertThat(last.body())
                .isEqualTo("{\"jsonrpc\":\"1.0\",\"id\":\"" + last.id() + "\",\"method\":\"" + method + "\",\"params\":"
                        + params + "}");
    }

    @Test
    void theCallsAboutTheChain() {
        assertThat(answered("7", () -> rpc.getBlockCount(soon()))).isEqualTo(7);
        assertSent("/", "getblockcount", "[]");
        assertThat(answered("\"" + HASH + "\"", () -> rpc.getBlockHash(0, soon())))
                .isEqualTo(BLOCK);
        assertSent("/", "getblockhash", "[0]");
        assertThat(answered("{\"confirmations\":3,\"height\":7}", () -> rpc.getBlockHeader(BLOCK, soon())))
                .contains(new BlockPlace(7, 3));
        assertSent("/", "getblockheader", "[\"" + HASH + "\"]");
        assertThat(answered("{\"previousblockhash\":\"" + HASH + "\"}", () -> rpc.getBlockParent(BLOCK, soon())))
                .contains(BLOCK);
        assertSent("/", "getblock", "[\"" + HASH + "\"]");
        assertThat(answered("{\"height\":0}", () -> rpc.getBlockParent(BLOCK, soon())))
                .as("the genesis block has none")
                .isEmpty();
    }

    @Test
    void theCallsAboutTheNode() {
        ChainInfo info = answered(
                "{\"chain\":\"regtest\",\"initialblockdownload\":false,\"blocks\":7,\"headers\":8,\"bestblockhash\":\""
                        + HASH + "\",\"bits\":\"207fffff\"}",
                () -> rpc.getBlockchainInfo(soon()));
        assertSent("/", "getblockchaininfo", "[]");
        assertThat(info.chain()).isEqualTo("regtest");
        assertThat(info.initialDownload()).contains(false);
        assertThat(info.blocks()).hasValue(7);
        assertThat(info.headers()).hasValue(8);
        assertThat(info.bestBlock()).contains(BLOCK);
        assertThat(info.bits()).contains("207fffff");
        assertThat(answered("{\"connections\":4}", () -> rpc.getConnections(soon())))
                .isEqualTo(4);
        assertSent("/", "getnetworkinfo", "[]");
        answered("{\"minrelaytxfee\":0.00001,\"mempoolminfee\":0.00002}", () -> rpc.getFeeFloors(soon()));
        assertSent("/", "getmempoolinfo", "[]");
        assertThat(answered("{}", () -> rpc.getFeeFloors(soon())).highest()).isEmpty();
        assertThat(answered("{\"feerate\":0.00001001,\"blocks\":6}", () -> rpc.estimateSmartFee(6, soon()))
                        .feeRate())
                .contains(new BigDecimal("0.00001001"));
        assertSent("/", "estimatesmartfee", "[6]");
        for (String none : List.of(
                "{\"errors\":[\"Insufficient data\"],\"feerate\":0.1,\"blocks\":6}",
                "{\"feerate\":0,\"blocks\":6}",
                "{\"feerate\":-1,\"blocks\":6}",
                "{\"blocks\":6}")) {
            assertThat(answered(none, () -> rpc.estimateSmartFee(6, soon())).feeRate())
                    .as(none)
                    .isEmpty();
        }
    }

    @Test
    void aHeightThatIsNoIntegerIsAFailureUnlessItIsOnlyShown() {
        String odd = "{\"chain\":\"regtest\",\"blocks\":\"seven\",\"headers\":8}";

        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> answered(odd, () -> rpc.getBlockchainInfo(soon())))
                .matches(e -> e.failure() instanceof RpcFailure.Protocol);
        ChainInfo shown = answered(odd, () -> rpc.getShownBlockchainInfo(soon()));
        assertSent("/", "getblockchaininfo", "[]");
        assertThat(shown.blocks()).isEmpty();
        assertThat(shown.headers()).hasValue(8);
    }

    @Test
    void theVerdictOnAnAddress() {
        String script = "5220" + "ab".repeat(32);
        assertThat(answered(
                        "{\"isvalid\":true,\"scriptPubKey\":\"" + script + "\"}",
                        () -> rpc.validateAddress("qbrt1z", soon())))
                .contains(script);
        assertSent("/", "validateaddress", "[\"qbrt1z\"]");
        assertThat(answered("{\"isvalid\":false,\"error\":\"x\"}", () -> rpc.validateAddress("qbrt1z", soon())))
                .isEmpty();
        for (String odd : List.of("{}", "{\"isvalid\":\"true\"}", "{\"isvalid\":true}", "null", "[]")) {
            assertThatExceptionOfType(RpcException.class)
                    .as(odd)
                    .isThrownBy(() -> answered(odd, () -> rpc.validateAddress("qbrt1z", soon())))
                    .matches(e -> e.failure() instanceof RpcFailure.Protocol);
        }
    }

    @Test
    void theWaitForATipSendsMillisecondsAndReadsTheHash() {
        assertThat(answered("{\"height\":7}", () -> rpc.waitForNewBlock(Duration.ofMillis(1500), BLOCK, soon())))
                .as("no hash: unchanged")
                .isEmpty();
        assertSent("/", "waitfornewblock", "[1500,\"" + HASH + "\"]");
        answered("{\"hash\":\"" + HASH + "\"}", () -> rpc.waitForNewBlock(Duration.ZERO, BLOCK, soon()));
        assertSent("/", "waitfornewblock", "[1,\"" + HASH + "\"]");
    }

    @Test
    void theCallsThatFollowATransaction() {
        assertThat(answered("{\"confirmations\":2}", () -> wallet.getConfirmations(BLOCK, soon())))
                .hasValue(2);
        assertSent("/", "getrawtransaction", "[\"" + HASH + "\",true]");
        assertThat(answered("{}", () -> wallet.getConfirmations(BLOCK, soon())))
                .as("in the mempool")
                .hasValue(0);
        assertThat(answered("[\"" + HASH + "\"]", () -> wallet.getRawMempool(soon())))
                .containsExactly(BLOCK);
        assertSent("/", "getrawmempool", "[]");
        assertThat(answered("null", () -> wallet.isUnspent(BLOCK, 3, soon()))).isFalse();
        assertSent("/", "gettxout", "[\"" + HASH + "\",3,false]");
        assertThat(answered("{\"value\":1}", () -> wallet.isUnspent(BLOCK, 3, soon())))
                .isTrue();
        assertThat(answered("{\"tx\":[]}", () -> wallet.getBlockWithTransactions(BLOCK, soon())))
                .isPresent();
        assertSent("/", "getblock", "[\"" + HASH + "\",2]");
        assertThat(answered("{\"confirmations\":-1}", () -> wallet.getBlockConfirmations(BLOCK, soon())))
                .hasValue(-1);
        assertSent("/", "getblock", "[\"" + HASH + "\"]");
    }

    @Test
    void theCallsOfTheFundingWallet() {
        List<WalletRpc.WalletOutput> outputs = answered(
                "[{\"spendable\":true,\"amount\":2.10000001,\"txid\":\"" + HASH + "\",\"vout\":1},"
                        + "{\"spendable\":false,\"amount\":9,\"txid\":\"" + HASH + "\",\"vout\":2}]",
                () -> wallet.listUnspent("fees", soon()));
        assertSent("/wallet/fees", "listunspent", "[1,9999999,[],true]");
        assertThat(outputs).containsExactly(new WalletRpc.WalletOutput(BLOCK, 1, new BigDecimal("2.10000001")));
        assertThat(answered("\"qbrt1z\"", () -> wallet.getNewAddress("fees", soon())))
                .isEqualTo("qbrt1z");
        assertSent("/wallet/fees", "getnewaddress", "[\"\",\"p2mr\"]");
        assertThat(answered("{\"scriptPubKey\":\"5220\"}", () -> wallet.getAddressScript("fees", "qbrt1z", soon())))
                .isEqualTo("5220");
        assertSent("/wallet/fees", "getaddressinfo", "[\"qbrt1z\"]");
        List<WalletRpc.PreviousOutput> anchor =
                List.of(new WalletRpc.PreviousOutput(BLOCK, 2, "51024e73", BigDecimal.ZERO));
        assertThat(answered(
                        "{\"hex\":\"02\",\"complete\":false,\"errors\":[{}]}",
                        () -> wallet.sign("fees", "00", anchor, soon())))
                .isEqualTo(new WalletRpc.SignedTransaction("02", false));
        assertSent(
                "/wallet/fees",
                "signrawtransactionwithwallet",
                "[\"00\",[{\"txid\":\"" + HASH + "\",\"vout\":2,\"scriptPubKey\":\"51024e73\",\"amount\":0}]]");
    }

    @Test
    void theCallsThatBroadcast() {
        assertThat(answered("{\"package_msg\":\"success\"}", () -> wallet.submitPackage("0a", "0b", soon()))
                        .path("package_msg")
                        .asText())
                .isEqualTo("success");
        assertSent("/", "submitpackage", "[[\"0a\",\"0b\"],0]");
        assertThat(answered("\"" + HASH + "\"", () -> wallet.sendRawTransaction("0a", soon())))
                .isEqualTo(BLOCK);
        assertSent("/", "sendrawtransaction", "[\"0a\"]");
    }

    @Test
    void onlyTheCodeForNotFoundIsAnAbsence() {
        assertThat(refused(-5, () -> wallet.getConfirmations(BLOCK, soon()))).isEqualTo(OptionalLong.empty());
        assertThat(refused(-5, () -> wallet.getBlockWithTransactions(BLOCK, soon())))
                .isEmpty();
        assertThat(refused(-5, () -> wallet.getBlockConfirmations(BLOCK, soon())))
                .isEqualTo(OptionalLong.empty());
        List<Supplier<?>> calls = List.of(
                () -> wallet.getConfirmations(BLOCK, soon()),
                () -> wallet.getBlockWithTransactions(BLOCK, soon()),
                () -> wallet.getBlockConfirmations(BLOCK, soon()),
                () -> wallet.isUnspent(BLOCK, 0, soon()),
                () -> rpc.getBlockHash(9, soon()));
        for (Supplier<?> call : calls) {
            assertThat(catchThrowableOfType(RpcException.class, () -> refused(-8, call))
                            .failure()
                            .code())
                    .isEqualTo(-8);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-22, -25})
    void anErrorToABlockIsAKnownOutcomeAndNoAcceptance(int code) {
        RpcFailure failure = catchThrowableOfType(
                        RpcException.class, () -> refused(code, () -> rpc.submitBlock("00", soon())))
                .failure();
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.outcomeUnknown()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(RpcMethod.class)
    void readsAreRepeatableAndEverythingElseIsSentOnce(RpcMethod method) {
        List<String> once = List.of(
                "submitblock", "sendrawtransaction", "submitpackage", "signrawtransactionwithwallet", "getnewaddress");
        List<String> large = List.of("getblocktemplate", "getblock", "getrawmempool", "listunspent");
        assertThat(method.mutating()).isEqualTo(once.contains(method.wireName()));
        assertThat(method.answerLimit()).isEqualTo(large.contains(method.wireName()) ? 64 << 20 : 8 << 20);
    }

    @Test
    void thereAreTwentyTwoMethods() {
        assertThat(Arrays.stream(RpcMethod.values()).map(RpcMethod::wireName))
                .hasSize(22)
                .doesNotHaveDuplicates();
    }
}

package org.prismpool.templates.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.rpc.ScriptedNode;

class WatchNodeIT {

    private static final String PROGRAM = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    private static final String SECOND = "165a93f1ab9c7be115e870e2246722e4da1e5a5e4b32824679426119139f8d46";

    @Test
    void theExampleOfTheReadmePrintsEachNewJob() throws Exception {
        AtomicInteger waits = new AtomicInteger();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (ScriptedNode node = new ScriptedNode((request, connection) -> {
            boolean first =
                    "waitfornewblock".equals(request.method()) ? waits.incrementAndGet() == 1 : waits.get() == 1;
            String tip = first ? Network.REGTEST.genesisHash().displayHex() : SECOND;
            connection.result(
                    request,
                    switch (request.method()) {
                        case "waitfornewblock" -> "{\"hash\":\"" + tip + "\",\"height\":" + (first ? 0 : 1) + "}";
                        case "getbestblockhash" -> "\"" + tip + "\"";
                        default -> template(tip, first ? 1 : 2);
                    });
        })) {
            P2mrAddress payTo = P2mrAddress.ofProgramHex(Network.REGTEST, PROGRAM);
            WatchNode.watch(node.endpoint(), payTo, 2, new PrintStream(printed, true, StandardCharsets.UTF_8));
        }
        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "1 02000000010000000000000000000000000000000000000000000000000000000000000000ffffffff15"
                                + "51002f505249534d2f .. feffffff020092b2e304000000225220" + PROGRAM
                                + "0000000000000000266a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd8"
                                + "36974e8cf900000000",
                        "2 02000000010000000000000000000000000000000000000000000000000000000000000000ffffffff15"
                                + "52002f505249534d2f .. feffffff020092b2e304000000225220" + PROGRAM
                                + "0000000000000000266a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd8"
                                + "36974e8cf901000000");
    }

    private static String template(String parent, int height) {
        return """
                {"previousblockhash":"%s","height":%d,"coinbasevalue":21000000000,"bits":"207fffff",
                 "version":536870912,"curtime":1738713662,"mintime":1738713603,"transactions":[]}""".formatted(parent, height);
    }
}

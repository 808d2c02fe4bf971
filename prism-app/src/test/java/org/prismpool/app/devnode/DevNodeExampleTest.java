package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.prismpool.app.devnode.fault.CallPoint;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.templates.chain.Hash256;

/** The embedding example of the README. */
class DevNodeExampleTest {

    @Test
    void aPoolsTestStartsANodeBreaksItAndLooksAtTheChain() throws Exception {
        try (DevNode node = DevNode.start(DevNodeConfig.forTests());
                DevNodeHttp http = DevNodeHttp.start(DevNodeHttpConfig.onLoopback("pool", "test-only"), node)) {
            Hash256 first = node.control().mine(1).get(0);

            // The pool under test talks to http.url(); its next submitblock is taken, but the answer gets lost.
            node.faults().add("submitblock", new Fault.Drop(CallPoint.AFTER_PROCESSING), 1);

            // A longer branch beside the first block: waitfornewblock wakes with the new tip.
            List<Hash256> branch =
                    node.control().mineFork(node.control().activeAt(0).orElseThrow(), 2);

            assertThat(http.port()).isPositive();
            assertThat(node.control().tip().hash()).isEqualTo(branch.get(1));
            assertThat(node.control().isActive(first)).isFalse();
            assertThat(node.call("getblocktemplate", Map.of("rules", List.of("segwit")))
                            .result()
                            .path("height")
                            .asInt())
                    .isEqualTo(3);
            assertThat(node.recorder().calls("getblocktemplate")).hasSize(1);
        }
    }
}

package org.prismpool.app.composition.backend;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;
import org.prismpool.templates.rpc.RpcMethod;

class NodeChainTest {

    private final NodeRpc waiting = mock(NodeRpc.class);
    private final NodeChain chain = new NodeChain(mock(NodeRpc.class), waiting, Network.REGTEST);

    private ThrowingCallable waitEndsWith(RpcFailure failure) {
        when(waiting.waitForNewBlock(any(), any(), any()))
                .thenThrow(new RpcException(RpcMethod.WAIT_FOR_NEW_BLOCK, failure));
        Deadline deadline = Deadline.after(Duration.ofSeconds(10), MonotonicClock.system(), "test");
        return () -> chain.awaitChange(Hash256.ofDisplayHex("aa".repeat(32)), Duration.ofSeconds(5), deadline);
    }

    @Test
    void aWaitThatTheStopEndsIsNoFaultOfTheNode() {
        assertThatThrownBy(waitEndsWith(new RpcFailure.Cancelled("stopping")))
                .isInstanceOf(CancelledException.class)
                .hasMessageContaining("stopping");
    }

    @Test
    void aNodeThatCannotBeReachedIsAFault() {
        assertThatThrownBy(waitEndsWith(new RpcFailure.NotSent("connect refused")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("connect refused");
    }
}

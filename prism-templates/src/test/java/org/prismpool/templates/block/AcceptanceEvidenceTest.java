package org.prismpool.templates.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.templates.block.Candidates.candidate;
import static org.prismpool.templates.block.Candidates.hash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.templates.FakeNode;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcMethod;

class AcceptanceEvidenceTest {

    private static final Hash256 OTHER = hash("other tip");

    private final LaneFixture fixture = new LaneFixture();
    private final BlockCandidate block = candidate(1, 100);
    private final List<String> preview = new ArrayList<>();
    private Runnable whileWithdrawing = () -> {};

    private final PreviewSwitch previewSwitch = new PreviewSwitch() {
        @Override
        public void withdraw() {
            preview.add("withdraw");
            whileWithdrawing.run();
        }

        @Override
        public void restore() {
            preview.add("restore");
        }
    };

    @BeforeEach
    void offer() {
        fixture.start()
                .node
                .submitAnswer(hex -> {
                    throw new RpcException(RpcMethod.SUBMIT_BLOCK, FakeNode.LOST);
                })
                .tips(OTHER);
        fixture.lane.offer(block);
        fixture.awaitAccounted(1);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private AbandonDecision abandon(AbandonReason reason) {
        return fixture.lane.evidence().abandon(block, reason, previewSwitch, fixture.deadline());
    }

    private ChainVerdict probe() {
        return fixture.lane.evidence().probe(block, fixture.deadline());
    }

    @Test
    void theTipOrAnActiveHeaderProvesABlock() {
        fixture.node.tips(block.hash());
        assertThat(probe()).isEqualTo(ChainVerdict.ACTIVE);
        fixture.node.tips(OTHER).place(block.hash(), 100, 3);
        assertThat(probe()).isEqualTo(ChainVerdict.ACTIVE);
    }

    @Test
    void aHeaderOffTheChainIsKnownAndAnUnknownHeaderIsNot() {
        assertThat(probe()).isEqualTo(ChainVerdict.UNKNOWN);
        fixture.node.place(block.hash(), 100, -1);
        assertThat(probe()).isEqualTo(ChainVerdict.OFF_CHAIN);
    }

    @Test
    void theHeaderDecidesWhenTheTipQuestionFails() {
        fixture.node.fails(RpcMethod.GET_BEST_BLOCK_HASH, FakeNode.DOWN).place(block.hash(), 100, 1);
        assertThat(probe()).isEqualTo(ChainVerdict.ACTIVE);
        fixture.node.place(block.hash(), 101, 1);
        assertThat(probe()).isEqualTo(ChainVerdict.WRONG_HEIGHT);
    }

    @Test
    void theTipDecidesWhenTheHeaderQuestionFails() {
        fixture.node.fails(RpcMethod.GET_BLOCK_HEADER, FakeNode.DOWN).tips(block.hash());
        assertThat(probe()).isEqualTo(ChainVerdict.ACTIVE);
    }

    @Test
    void aBlockWithoutAnyEvidenceIsGivenUp() {
        assertThat(abandon(AbandonReason.SUBMITBLOCK_REJECTED)).isEqualTo(AbandonDecision.SEALED);
        assertThat(preview).containsExactly("withdraw");
    }

    @Test
    void aBlockWhoseAnswerWasLostAndThatWasTheTipIsNotGivenUp() {
        fixture.lane.observeTip(block.hash());
        fixture.lane.observeTip(OTHER);
        assertThat(abandon(AbandonReason.TIP_MOVED)).isEqualTo(AbandonDecision.DEFERRED);
        assertThat(fixture.counters.events).contains("deferred");
        assertThat(preview).isEmpty();
    }

    @Test
    void anObservationLosesItsForceAfterFiveMinutes() {
        fixture.lane.observeTip(block.hash());
        fixture.advance(Duration.ofSeconds(301));
        assertThat(abandon(AbandonReason.TIP_MOVED)).isEqualTo(AbandonDecision.SEALED);
    }

    @Test
    void aProvenBlockIsNeverGivenUp() {
        fixture.node.place(block.hash(), 100, 1);
        assertThat(abandon(AbandonReason.POOL_CLOSED)).isEqualTo(AbandonDecision.DEFERRED);
    }

    @Test
    void anotherHeightOverridesAnObservation() {
        fixture.lane.observeTip(block.hash());
        fixture.node.place(block.hash(), 99, 5);
        assertThat(abandon(AbandonReason.BLOCK_STALE)).isEqualTo(AbandonDecision.SEALED);
    }

    @Test
    void evidenceThatArrivesDuringTheWithdrawalRestoresThePreview() {
        whileWithdrawing = () -> fixture.lane.observeTip(block.hash());
        assertThat(abandon(AbandonReason.TIP_MOVED)).isEqualTo(AbandonDecision.DEFERRED);
        assertThat(preview).containsExactly("withdraw", "restore");
    }

    @Test
    void aBlockThatBecomesActiveDuringTheWithdrawalIsKept() {
        whileWithdrawing = () -> fixture.node.place(block.hash(), 100, 1);
        assertThat(abandon(AbandonReason.TIP_MOVED)).isEqualTo(AbandonDecision.DEFERRED);
        assertThat(preview).containsExactly("withdraw", "restore");
    }

    @Test
    void anObservationAfterTheDecisionIsIgnored() {
        assertThat(abandon(AbandonReason.TIP_MOVED)).isEqualTo(AbandonDecision.SEALED);
        fixture.lane.observeTip(block.hash());
        assertThat(abandon(AbandonReason.TIP_MOVED)).isEqualTo(AbandonDecision.SEALED);
    }

    @Test
    void aBlockThatAnotherPassHasAccountedIsASuccess() {
        fixture.lane.settle(block.hash(), new AccountingResult.Submitted(true));
        assertThat(abandon(AbandonReason.TIP_MOVED)).isEqualTo(AbandonDecision.ALREADY_SUBMITTED);
        assertThat(fixture.lane.snapshot().pending()).isZero();
    }

    @Test
    void aRowThatTheLedgerHasDisposedOfEndsItsCandidateWhateverTheChainSays() {
        fixture.node.tips(block.hash()).place(block.hash(), 100, 1);
        fixture.lane.observeTip(block.hash());
        assertThat(abandon(AbandonReason.LEDGER_CONFIRMATION_SUPERSEDED)).isEqualTo(AbandonDecision.SEALED);
        assertThat(preview).containsExactly("withdraw");
    }
}

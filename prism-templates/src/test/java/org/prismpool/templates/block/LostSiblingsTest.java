package org.prismpool.templates.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.templates.block.Candidates.PARENT;
import static org.prismpool.templates.block.Candidates.candidate;
import static org.prismpool.templates.block.Candidates.hash;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.FakeNode;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.RpcMethod;

class LostSiblingsTest {

    private static final Hash256 WINNER = hash("winner");
    private static final Hash256 TIP = hash("tip");

    private final FakeNode node = new FakeNode();
    private final LaneFixture.Counters counters = new LaneFixture.Counters();
    private final Set<String> ended = new LinkedHashSet<>();
    private final BlockCandidate block = candidate(1, 100);

    private final LostSiblings siblings = new LostSiblings(
            node,
            new CandidateOutbox() {
                @Override
                public List<OutboxRow> pendingPage(Optional<OutboxCursor> after, int limit, Deadline deadline) {
                    return List.of();
                }

                @Override
                public void attempted(Hash256 hash, Deadline deadline) {}

                @Override
                public void submitted(Hash256 hash, Deadline deadline) {}

                @Override
                public void abandoned(String hashHex, String message, Deadline deadline) {}

                @Override
                public Set<String> abandonSuperseded(Collection<String> hashes, String message, Deadline deadline) {
                    ended.addAll(hashes);
                    return Set.copyOf(hashes);
                }

                @Override
                public void insertSpooled(BlockCandidate candidate, Deadline deadline) {}
            },
            counters);

    @BeforeEach
    void heightDecidedByASibling() {
        node.tips(TIP).genesis(WINNER).parent(WINNER, PARENT);
    }

    private OutboxRow row(int attempts, boolean ledgerEvidence) {
        return new OutboxRow(
                new OutboxCursor(Instant.EPOCH, block.hash().displayHex()),
                Optional.of(block),
                attempts,
                ledgerEvidence);
    }

    private List<OutboxRow> without(OutboxRow row) {
        return siblings.without(List.of(row), Deadline.unbounded(new ManualClock(), "test"));
    }

    @Test
    void aBlockWhoseSiblingWonAndThatNobodyHasSeenEndsWithoutAnOffer() {
        assertThat(without(row(0, false))).isEmpty();
        assertThat(ended).containsExactly(block.hash().displayHex());
        assertThat(counters.abandoned).containsExactly(AbandonReason.TIP_MOVED);
        assertThat(node.calls()).doesNotContain("submitblock");
    }

    @Test
    void aRowThatCouldNotBeDecodedIsLeftToItsQuarantine() {
        OutboxRow broken = new OutboxRow(new OutboxCursor(Instant.EPOCH, "ab".repeat(32)), Optional.empty(), 0, false);
        assertThat(without(broken)).containsExactly(broken);
    }

    @Test
    void anySignOfAnOfferKeepsTheRow() {
        assertThat(without(row(1, false))).hasSize(1);
        assertThat(without(row(0, true))).hasSize(1);
        node.place(block.hash(), 100, -1);
        assertThat(without(row(0, false))).as("stored on a side branch").hasSize(1);
        assertThat(ended).isEmpty();
    }

    @Test
    void aBlockOnTheTipOrOnTheChainOrOfAnotherBranchIsKept() {
        node.tips(PARENT);
        assertThat(without(row(0, false))).as("parent is the tip").hasSize(1);
        node.tips(TIP).parent(WINNER, hash("other branch"));
        assertThat(without(row(0, false))).as("no sibling").hasSize(1);
    }

    @Test
    void itsOwnBlockDecidesNothingAgainstARow() {
        node.genesis(block.hash());
        assertThat(without(row(0, false))).hasSize(1);
    }

    @Test
    void aNodeThatDoesNotAnswerKeepsTheRow() {
        node.fails(RpcMethod.GET_BLOCK_HEADER, FakeNode.DOWN);
        assertThat(without(row(0, false))).hasSize(1);
        assertThat(ended).isEmpty();
    }
}

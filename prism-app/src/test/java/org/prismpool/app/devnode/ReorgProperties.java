package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;

/** Whatever is mined, invalidated and reconsidered in whatever order: most work is active, and between equals the first. */
class ReorgProperties {

    private enum Kind {
        MINE,
        INVALIDATE,
        RECONSIDER
    }

    private record Step(Kind kind, int target) {}

    /** What the tests know about a block: all blocks are equally hard, so height is work. */
    private record Known(Hash256 hash, Optional<Known> parent, int height, int arrival) {}

    @Provide
    Arbitrary<Step> steps() {
        Arbitrary<Kind> kinds = Arbitraries.frequency(
                Tuple.of(6, Kind.MINE), Tuple.of(2, Kind.INVALIDATE), Tuple.of(1, Kind.RECONSIDER));
        return kinds.flatMap(kind -> Arbitraries.integers().between(0, 1_000).map(target -> new Step(kind, target)));
    }

    @Property(tries = 150)
    void theBestValidBranchIsActiveAfterEveryStep(@ForAll @Size(max = 40) List<@From("steps") Step> plan) {
        try (DevNode node = DevNode.start(DevNodeConfig.forTests())) {
            List<Known> blocks = new ArrayList<>();
            blocks.add(new Known(Network.REGTEST.genesisHash(), Optional.empty(), 0, 0));
            Map<Hash256, Boolean> invalidated = new HashMap<>();
            for (Step step : plan) {
                apply(step, node, blocks, invalidated);

                Known expected = best(blocks, invalidated);
                assertThat(node.control().tip().hash()).isEqualTo(expected.hash());
                assertThat(node.control().tip().height()).isEqualTo(expected.height());
            }
            assertActiveChainAndCoins(node, best(blocks, invalidated));
        }
    }

    private static void apply(Step step, DevNode node, List<Known> blocks, Map<Hash256, Boolean> invalidated) {
        Known target = blocks.get(step.target() % blocks.size());
        switch (step.kind()) {
            case MINE -> {
                if (!isFailed(target, invalidated)) {
                    Hash256 hash = node.control().mineFork(target.hash(), 1).get(0);
                    blocks.add(new Known(hash, Optional.of(target), target.height() + 1, blocks.size()));
                }
            }
            case INVALIDATE -> {
                if (target.height() > 0) {
                    node.control().invalidate(target.hash());
                    invalidated.put(target.hash(), true);
                }
            }
            case RECONSIDER -> {
                node.control().reconsider(target.hash());
                blocks.stream()
                        .filter(block -> isAncestor(block, target) || isAncestor(target, block))
                        .forEach(block -> invalidated.remove(block.hash()));
            }
        }
    }

    private static Known best(List<Known> blocks, Map<Hash256, Boolean> invalidated) {
        return blocks.stream()
                .filter(block -> !isFailed(block, invalidated))
                .max(Comparator.comparingInt(Known::height)
                        .thenComparing(Comparator.comparingInt(Known::arrival).reversed()))
                .orElseThrow();
    }

    private static boolean isFailed(Known block, Map<Hash256, Boolean> invalidated) {
        return invalidated.containsKey(block.hash())
                || block.parent()
                        .filter(parent -> isFailed(parent, invalidated))
                        .isPresent();
    }

    private static boolean isAncestor(Known ancestor, Known block) {
        return ancestor.equals(block)
                || block.parent().filter(parent -> isAncestor(ancestor, parent)).isPresent();
    }

    /** The active chain is the branch of the tip, and each of its coinbases is the only kind of coin there is. */
    private static void assertActiveChainAndCoins(DevNode node, Known tip) {
        Set<String> coinbases = new HashSet<>();
        Optional<Known> at = Optional.of(tip);
        while (at.isPresent() && at.get().height() > 0) {
            Known block = at.get();
            assertThat(node.control().activeAt(block.height())).contains(block.hash());
            String txid = node.control()
                    .block(block.hash())
                    .orElseThrow()
                    .coinbase()
                    .txid()
                    .displayHex();
            assertThat(node.call("gettxout", txid, 0)
                            .result()
                            .path("confirmations")
                            .asInt())
                    .isEqualTo(tip.height() - block.height() + 1);
            coinbases.add(txid);
            at = block.parent();
        }
        assertThat(coinbases).hasSize(tip.height());
    }
}

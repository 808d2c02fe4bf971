package org.prismpool.templates.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.templates.block.Candidates.candidate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.prismpool.templates.block.CandidateState.Phase;
import org.prismpool.templates.chain.Hash256;

/** Drives the registry through random interleavings and holds what must be true in each of them. */
class CandidateRegistryProperties {

    private static final int BLOCKS = 5;

    private final Set<Hash256> inOffer = new HashSet<>();
    private final Set<Hash256> inAccounting = new HashSet<>();
    private final Map<Hash256, Integer> ends = new HashMap<>();

    @Property(tries = 400)
    void everyInterleavingKeepsTheInvariants(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int limit, @ForAll boolean manyBlocks) {
        inOffer.clear();
        inAccounting.clear();
        ends.clear();
        Random random = new Random(seed);
        CandidateRegistry registry =
                new CandidateRegistry(LaneConfig.DEFAULTS.withMaxBlocks(manyBlocks ? 1000 : limit, true));
        long now = 0;
        for (int step = 0; step < 120; step++) {
            now += random.nextInt(3) == 0 ? TimeUnit.SECONDS.toNanos(random.nextInt(40)) : 0;
            event(registry, random, now);
            invariants(registry, now);
        }
        drain(registry, random, now);
    }

    private void event(CandidateRegistry registry, Random random, long now) {
        BlockCandidate block = candidate(random.nextInt(BLOCKS), 100 + random.nextInt(1));
        switch (random.nextInt(6)) {
            case 0 -> {
                boolean replayed = random.nextBoolean();
                CandidateState.Origin origin = new CandidateState.Origin(replayed, now, random.nextInt(2));
                registry.admit(block, origin, random.nextInt(4) == 0, now);
            }
            case 1 -> takeStep(registry, now);
            case 2 -> pick(inOffer, random).ifPresent(hash -> answer(registry, hash, random, now));
            case 3 -> pick(inAccounting, random).ifPresent(hash -> settle(registry, hash, result(random), now));
            case 4 -> registry.observeTip(block.hash(), now).ifPresent(this::handedOver);
            default -> registry.unpark(block.hash(), random.nextBoolean()).ifPresent(this::handedOver);
        }
    }

    private void takeStep(CandidateRegistry registry, long now) {
        Optional<CandidateRegistry.Step> step = registry.next(now);
        if (step.isPresent()) {
            Hash256 hash = step.get().state().candidate().hash();
            assertThat(inOffer.add(hash)).as("one offer per hash").isTrue();
            boolean asks = step.get().kind() == CandidateRegistry.StepKind.OFFER;
            assertThat(!asks || step.get().state().trail().slot())
                    .as("an offer holds a reservation")
                    .isTrue();
            assertThat(inAccounting).as("no offer while accounting has it").doesNotContain(hash);
        }
    }

    private void answer(CandidateRegistry registry, Hash256 hash, Random random, long now) {
        inOffer.remove(hash);
        if (random.nextInt(8) == 0) {
            registry.postpone(hash, now);
            return;
        }
        handedOver(registry.offered(hash, outcome(random), now));
    }

    private void handedOver(OfferedCandidate candidate) {
        assertThat(inAccounting.add(candidate.candidate().hash()))
                .as("one hand-over at a time")
                .isTrue();
    }

    private void settle(CandidateRegistry registry, Hash256 hash, AccountingResult result, long now) {
        inAccounting.remove(hash);
        if (registry.settle(hash, result, now).terminal()) {
            assertThat(ends.merge(hash, 1, Integer::sum)).as("a hash ends once").isEqualTo(1);
        }
    }

    private void invariants(CandidateRegistry registry, long now) {
        List<CandidateState> states = registry.states();
        long slots = states.stream().filter(state -> state.trail().slot()).count();
        BlockCapacity capacity = registry.capacity();
        assertThat(capacity.reserved()).as("reservations belong to candidates").isEqualTo((int) slots);
        for (CandidateState state : states) {
            Hash256 hash = state.candidate().hash();
            assertThat(state.phase() == Phase.OFFERING).isEqualTo(inOffer.contains(hash));
            assertThat(state.phase() == Phase.ACCOUNTING).isEqualTo(inAccounting.contains(hash));
            assertThat(ends).as("an ended hash is not held").doesNotContainKey(hash);
            assertThat(state.phase() == Phase.PARKED && state.trail().slot())
                    .as("a parked block holds no slot")
                    .isFalse();
            assertThat(state.trail().notBeforeNanos() - now).isLessThanOrEqualTo(TimeUnit.SECONDS.toNanos(30));
        }
    }

    /** Nothing is ever stuck: with time and answers every candidate reaches its end or is parked. */
    private void drain(CandidateRegistry registry, Random random, long start) {
        long now = start;
        for (int round = 0; round < 4 * BLOCKS; round++) {
            now += TimeUnit.SECONDS.toNanos(31);
            takeStep(registry, now);
            for (Hash256 hash : List.copyOf(inOffer)) {
                inOffer.remove(hash);
                handedOver(registry.offered(hash, outcome(random), now));
            }
            for (Hash256 hash : List.copyOf(inAccounting)) {
                settle(registry, hash, new AccountingResult.Submitted(true), now);
            }
        }
        assertThat(registry.states()).allMatch(state -> state.phase() == Phase.PARKED);
        assertThat(registry.capacity().reserved()).isZero();
    }

    private static Optional<Hash256> pick(Set<Hash256> hashes, Random random) {
        return hashes.stream()
                .sorted()
                .skip(hashes.isEmpty() ? 0 : random.nextInt(hashes.size()))
                .findFirst();
    }

    private static OfferOutcome outcome(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> new OfferOutcome.Accepted();
            case 1 -> new OfferOutcome.Duplicate();
            case 2 -> new OfferOutcome.Inconclusive("inconclusive");
            case 3 -> new OfferOutcome.Refused("rejected");
            case 4 -> new OfferOutcome.Undecided("lost", random.nextBoolean());
            default -> new OfferOutcome.NotOffered(AbandonReason.TIP_MOVED);
        };
    }

    private static AccountingResult result(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> new AccountingResult.Submitted(random.nextBoolean());
            case 1 -> new AccountingResult.Abandoned(AbandonReason.BLOCK_STALE, "");
            case 2 -> new AccountingResult.Parked();
            default -> new AccountingResult.Retry(AccountingResult.RetryReason.INTERNAL_ERROR, "");
        };
    }
}

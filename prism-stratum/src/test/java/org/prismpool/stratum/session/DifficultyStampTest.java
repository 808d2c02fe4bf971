package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.stratum.JobDifficulty;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Target;

/** Tables of spec 02 §6.2 and cases of §6.3: acceptance 39 and 43. */
class DifficultyStampTest {

    private static final Optional<BigDecimal> NO_FLOOR = Optional.empty();
    private static final Target HARDEST = Target.of(BigInteger.ONE);

    @ParameterizedTest
    @CsvSource({
        "1e-9, 3b9a8e6536000000000000000000000000000000000000000000000000000000, 1e-9, 2147516",
        "0.001, 000003e7fc180000000000000000000000000000000000000000000000000000, 0.001, 2147516160496",
        "0.5, 00000001fffe0000000000000000000000000000000000000000000000000000, 0.5, 1073758080248050",
        "1, 00000000ffff0000000000000000000000000000000000000000000000000000, 1, 2147516160496101",
        "3, 0000000055550000000000000000000000000000000000000000000000000000, 3, 6442548481488303",
        "6, 000000002aaa8000000000000000000000000000000000000000000000000000, 6, 12885096962976607",
        "1024, 00000000003fffc0000000000000000000000000000000000000000000000000, 1024, 2199056548348007751",
        "16384, 000000000003fffc000000000000000000000000000000000000000000000000, 16384, 35184904773568124025",
        "500000, 000000000000218dcdb37c99ae924f227d028a1dfb9389b52007dd441355475a, 500000, 1073758080248050659952",
        "4294967296, 0000000000000000ffff00000000000000000000000000000000000000000000, 4294967296,"
                + " 9223511676962242304496101",
    })
    void theTableOfTargetsAndWeightsHolds(BigDecimal desired, String target, double advertised, BigInteger weight) {
        JobDifficulty stamped = DifficultyStamp.of(desired, NO_FLOOR, HARDEST, true);

        assertThat(stamped.shareTarget().hex()).isEqualTo(target);
        assertThat(stamped.advertised()).isEqualTo(advertised);
        assertThat(stamped.ledgerWeight()).isEqualTo(weight);
        assertThat(stamped.satisfied()).isTrue();
    }

    @Test
    void aShareIsNeverHarderThanABlockOnTheDefaultListener() {
        Target network = CompactTarget.ofHex("207fffff").target();
        JobDifficulty stamped = DifficultyStamp.of(new BigDecimal(500000), NO_FLOOR, network, true);

        assertThat(stamped.shareTarget()).isEqualTo(network);
        assertThat(stamped.advertised()).isEqualTo(4.6565423739069247e-10);
        assertThat(stamped.satisfied()).isFalse();
        assertThat(stamped.desired()).isEqualByComparingTo("500000");
    }

    @Test
    void aFloorHoldsEvenAboveTheNetworkDifficulty() {
        Target network = CompactTarget.ofHex("207fffff").target();
        JobDifficulty stamped =
                DifficultyStamp.of(new BigDecimal(500000), Optional.of(new BigDecimal(500000)), network, true);

        assertThat(stamped.advertised()).isEqualTo(500000);
        assertThat(stamped.satisfied()).isTrue();
    }

    @Test
    void aWishAboveTheFloorAndBelowTheNetworkIsKept() {
        Target network = DifficultyStamp.of(new BigDecimal(80_000_000), NO_FLOOR, HARDEST, true)
                .shareTarget();
        JobDifficulty stamped =
                DifficultyStamp.of(new BigDecimal(600000), Optional.of(new BigDecimal(500000)), network, true);

        assertThat(stamped.advertised()).isEqualTo(600000);
    }

    @Test
    void theNetworkCapsAWish() {
        Target half = DifficultyStamp.of(new BigDecimal("0.5"), NO_FLOOR, HARDEST, true)
                .shareTarget();

        assertThat(DifficultyStamp.of(new BigDecimal(1000), NO_FLOOR, half, true)
                        .advertised())
                .isEqualTo(0.5);
    }

    @Test
    void difficultiesFromOneUpAreWholeNumbers() {
        assertThat(DifficultyStamp.of(new BigDecimal("4.6667"), NO_FLOOR, HARDEST, true)
                        .advertised())
                .isEqualTo(4);
        assertThat(DifficultyStamp.of(new BigDecimal("4.6667"), NO_FLOOR, HARDEST, true)
                        .satisfied())
                .isTrue();
        assertThat(DifficultyStamp.of(new BigDecimal("4.6667"), NO_FLOOR, HARDEST, false)
                        .advertised())
                .isEqualTo(4.6667);
        assertThat(DifficultyStamp.of(new BigDecimal("0.7"), NO_FLOOR, HARDEST, true)
                        .advertised())
                .isEqualTo(0.7);
    }

    @Test
    void roundingNeverGoesBelowAFloor() {
        Optional<BigDecimal> floor = Optional.of(new BigDecimal("500000.5"));

        assertThat(DifficultyStamp.of(new BigDecimal("500000.7"), floor, HARDEST, true)
                        .advertised())
                .isEqualTo(500001);
    }

    @Test
    void aNetworkCapIsRoundedDownToo() {
        Target network = CompactTarget.ofHex("1b0404cb").target();
        JobDifficulty stamped = DifficultyStamp.of(new BigDecimal(1_000_000), NO_FLOOR, network, true);

        assertThat(stamped.advertised()).isEqualTo(16307);
        assertThat(stamped.shareTarget()).isGreaterThan(network);
    }

    @Test
    void theSameDifficultyGivesTheSameTargetOnEveryThread() throws Exception {
        List<BigDecimal> wishes = IntStream.range(1, 200)
                .mapToObj(i -> new BigDecimal(50).divide(new BigDecimal(7 * i), MathContext.DECIMAL128))
                .toList();
        Callable<List<Target>> stamping = () -> wishes.stream()
                .map(wish -> DifficultyStamp.of(wish, NO_FLOOR, HARDEST, false).shareTarget())
                .toList();
        List<Target> here = stamping.call();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (Future<List<Target>> there : threads.invokeAll(Collections.nCopies(4, stamping))) {
                assertThat(there.get()).isEqualTo(here);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(DifficultyStamp.of(BigDecimal.ONE, NO_FLOOR, HARDEST, false).shareTarget())
                .isEqualTo(Target.DIFFICULTY_ONE);
    }

    @Property
    void whatIsAnnouncedIsWhatIsEnforced(
            @ForAll @Scale(9) @BigRange(min = "0.0000001", max = "10000000") BigDecimal desired,
            @ForAll boolean integral) {
        JobDifficulty stamped = DifficultyStamp.of(desired, NO_FLOOR, HARDEST, integral);
        BigDecimal enforced = new BigDecimal(Target.DIFFICULTY_ONE.value())
                .divide(new BigDecimal(stamped.shareTarget().value()), MathContext.DECIMAL128);

        assertThat(stamped.advertised()).isEqualTo(enforced.doubleValue());
        assertThat(
                        integral && desired.compareTo(BigDecimal.ONE) >= 0
                                ? stamped.advertised() == Math.rint(stamped.advertised())
                                : stamped.exact().compareTo(desired) == 0)
                .isTrue();
    }
}

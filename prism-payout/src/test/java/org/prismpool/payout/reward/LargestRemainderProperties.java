package org.prismpool.payout.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.prismpool.payout.json.U128;

class LargestRemainderProperties {

    @Property(tries = 300)
    void theAmountsSumToTheTotalAndEachIsItsShareRoundedDownOrUp(
            @ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long total,
            @ForAll @Size(min = 1, max = 20) List<@LongRange(min = 1, max = Long.MAX_VALUE) Long> weights) {
        List<U128> wide = new ArrayList<>();
        weights.forEach(weight -> wide.add(U128.ofUnsigned(weight)));

        long[] amounts = LargestRemainder.allocate(total, wide);

        BigInteger sum = weights.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
        assertThat(LongStream.of(amounts).mapToObj(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add))
                .isEqualTo(BigInteger.valueOf(total));
        for (int i = 0; i < amounts.length; i++) {
            BigInteger floor = BigInteger.valueOf(total)
                    .multiply(BigInteger.valueOf(weights.get(i)))
                    .divide(sum);
            assertThat(BigInteger.valueOf(amounts[i]).subtract(floor)).isIn(BigInteger.ZERO, BigInteger.ONE);
        }
    }

    @Property(tries = 1000)
    void anyWidthGivesWhatExactArithmeticGives(
            @ForAll long total,
            @ForAll @LongRange(min = 0, max = 63) long shift,
            @ForAll @Size(min = 1, max = 8) List<Long> bits) {
        List<U128> weights = new ArrayList<>();
        bits.forEach(each -> weights.add(U128.ofUnsigned((each >>> shift) | 1)));

        assertThat(LargestRemainder.allocate(total, weights)).containsExactly(exactly(total, weights));
    }

    private static long[] exactly(long total, List<U128> weights) {
        BigInteger whole = new BigInteger(Long.toUnsignedString(total));
        BigInteger sum = weights.stream().map(U128::toBigInteger).reduce(BigInteger.ZERO, BigInteger::add);
        List<BigInteger[]> divisions = weights.stream()
                .map(weight -> whole.multiply(weight.toBigInteger()).divideAndRemainder(sum))
                .toList();
        BigInteger left =
                whole.subtract(divisions.stream().map(each -> each[0]).reduce(BigInteger.ZERO, BigInteger::add));
        List<Integer> byRemainder = IntStream.range(0, weights.size()).boxed().collect(Collectors.toList());
        byRemainder.sort((a, b) -> divisions.get(b)[1].compareTo(divisions.get(a)[1])); // stable: ties keep their order
        long[] amounts =
                divisions.stream().mapToLong(each -> each[0].longValue()).toArray();
        byRemainder.subList(0, left.intValueExact()).forEach(index -> amounts[index]++);
        return amounts;
    }

    @Example
    void theWorkedExamplesOfTheSpecification() {
        assertThat(LargestRemainder.allocate(10, weights(1, 1, 1))).containsExactly(4, 3, 3);
        assertThat(LargestRemainder.allocate(200_000, weights(1, 1, 1, 1, 1, 1, 1)))
                .containsExactly(28_572, 28_572, 28_572, 28_571, 28_571, 28_571, 28_571);
        assertThat(LargestRemainder.allocate(500_000_000, weights(10, 20))).containsExactly(166_666_667, 333_333_333);
    }

    @Example
    void aProductBeyond128BitsIsRefusedThoughBiggerNumbersCouldHoldIt() {
        assertThatThrownBy(() -> LargestRemainder.allocate(2, List.of(U128.MAX)))
                .isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> LargestRemainder.allocate(1, List.of(U128.MAX, U128.ONE)))
                .isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> LargestRemainder.allocate(1, List.of(U128.ZERO)))
                .isInstanceOf(ArithmeticException.class);
    }

    private static List<U128> weights(long... weights) {
        return LongStream.of(weights).mapToObj(U128::ofUnsigned).toList();
    }
}

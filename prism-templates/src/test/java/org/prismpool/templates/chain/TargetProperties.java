package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class TargetProperties {

    @Provide
    Arbitrary<BigInteger> targets() {
        return Arbitraries.bigIntegers()
                .between(BigInteger.ONE, BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE));
    }

    @Property
    void thePassTestAgreesWithBigIntegerComparison(
            @ForAll("targets") BigInteger target, @ForAll @Size(32) byte[] internal) {
        Hash256 hash = Hash256.ofInternal(internal);
        boolean expected = hash.toUnsignedInteger().compareTo(target) <= 0;
        assertThat(Target.of(target).isMetBy(hash)).isEqualTo(expected);
        assertThat(Target.of(target).isMetBy(internal)).isEqualTo(expected);
    }

    @Property
    void compressingATargetNeverMakesItEasier(@ForAll("targets") BigInteger value) {
        Target target = Target.of(value);
        Target compressed = CompactTarget.ofTarget(target).target();
        assertThat(compressed.value()).isLessThanOrEqualTo(value);
        assertThat(CompactTarget.ofTarget(compressed).target()).isEqualTo(compressed);
        assertThat(value.subtract(compressed.value()).shiftLeft(15)).isLessThanOrEqualTo(value);
    }

    @Property
    void difficultyToTargetIsTheExactFloor(@ForAll @IntRange(min = 1) int difficulty) {
        BigInteger target = Difficulty.of(difficulty).toTarget().value();
        BigInteger d = BigInteger.valueOf(difficulty);
        assertThat(target.multiply(d)).isLessThanOrEqualTo(Target.DIFFICULTY_ONE.value());
        assertThat(target.add(BigInteger.ONE).multiply(d)).isGreaterThan(Target.DIFFICULTY_ONE.value());
    }
}

package org.prismpool.app.publicapi.model.formula;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class FormulasProperties {

    private static final String DECIMAL = "-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?";

    @Provide
    Arbitrary<BigInteger> work() {
        return Arbitraries.bigIntegers().between(BigInteger.ZERO, BigInteger.TEN.pow(78));
    }

    @Provide
    Arbitrary<BigDecimal> decimals() {
        return Arbitraries.bigIntegers()
                .between(BigInteger.TEN.pow(40).negate(), BigInteger.TEN.pow(40))
                .flatMap(digits -> Arbitraries.integers().between(-60, 60).map(scale -> new BigDecimal(digits, scale)));
    }

    @Property
    void aDecimalHasNoExponentNoTrailingZeroAndItsValue(@ForAll("decimals") BigDecimal value) {
        String text = Decimals.text(value);

        assertThat(text).matches(DECIMAL);
        assertThat(new BigDecimal(text)).isEqualByComparingTo(value);
    }

    @Property
    void aRateIsADecimalOfAtMostFortyDigits(
            @ForAll("work") BigInteger difficulty, @ForAll @IntRange(min = 1, max = 100_000) int seconds) {
        BigDecimal rate = WorkRate.terahashes(difficulty, seconds);

        assertThat(Decimals.text(rate)).matches(DECIMAL);
        assertThat(rate.stripTrailingZeros().precision()).isLessThanOrEqualTo(40);
    }

    @Property
    void percentagesOfAWholeSumToAHundred(@ForAll @Size(min = 1, max = 20) List<@From("work") BigInteger> parts) {
        BigInteger total = parts.stream().reduce(BigInteger.ZERO, BigInteger::add);
        BigDecimal sum = parts.stream()
                .flatMap(part -> RewardShare.percent(part, total).stream())
                .reduce(BigDecimal.ZERO, BigDecimal::add);

        if (total.signum() == 0) {
            assertThat(sum).isZero();
        } else { // each part is rounded in the 40th digit
            assertThat(sum.subtract(BigDecimal.valueOf(100)).abs()).isLessThan(new BigDecimal("1E-35"));
        }
    }

    @Property
    void aRewardIsNeverMoreThanTheCoinbase(
            @ForAll @IntRange(min = 0, max = 100) int percent,
            @ForAll @IntRange(min = 1) int coinbase,
            @ForAll @IntRange(min = 0, max = 10_000) int feeBps) {
        BigInteger reward = RewardShare.estimatedReward(BigDecimal.valueOf(percent), coinbase, feeBps);

        assertThat(reward).isBetween(BigInteger.ZERO, BigInteger.valueOf(coinbase));
    }

    @Property
    void smoothingLeavesAConstantRate(
            @ForAll("work") BigInteger difficulty,
            @ForAll @IntRange(min = 0, max = 86_400) int smoothing,
            @ForAll @IntRange(min = 1, max = 600) int buckets) {
        RateSeries series = new RateSeries(Optional.empty(), 300, smoothing);
        int settled = Math.max(1, smoothing / 300); // from this bucket on the window is full
        List<RateSeries.Work> read = IntStream.range(0, buckets)
                .mapToObj(i -> new RateSeries.Work(i * 300L, 1, difficulty))
                .toList();

        BigDecimal raw = WorkRate.terahashes(difficulty, 300);

        assertThat(series.points(read, 0).stream()
                        .skip(settled - 1L)
                        .map(RateSeries.Point::terahashes)
                        .map(rate -> rate.subtract(raw).abs()))
                .allMatch(error -> error.compareTo(raw.movePointLeft(38)) <= 0);
    }

    @Property
    void smoothingEqualsItsDefinition(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 3) Integer> gaps,
            @ForAll @IntRange(min = 0, max = 7200) int smoothing) {
        List<RateSeries.Work> read = new ArrayList<>();
        long epoch = 0;
        for (int i = 0; i < gaps.size(); i++) {
            epoch += 300L * (1 + gaps.get(i));
            read.add(new RateSeries.Work(epoch, 1, BigInteger.valueOf(1000L + i)));
        }
        int n = smoothing / 300 < 2 ? 1 : smoothing / 300;

        List<RateSeries.Point> points = new RateSeries(Optional.empty(), 300, smoothing).points(read, 0);

        assertThat(points).hasSameSizeAs(read).allSatisfy(point -> {
            long at = point.work().epochSeconds();
            BigInteger sum = read.stream()
                    .filter(work -> work.epochSeconds() > at - n * 300L && work.epochSeconds() <= at)
                    .map(RateSeries.Work::difficulty)
                    .reduce(BigInteger.ZERO, BigInteger::add);
            assertThat(point.terahashes()).isEqualByComparingTo(WorkRate.terahashes(sum, n * 300L));
        });
    }

    @Property
    void noPointOfABoundedRangeBeginsBeforeIt(
            @ForAll @IntRange(min = 100_000_000) int now, @ForAll @IntRange(min = 1, max = 180) int days) {
        for (int bucket : new int[] {300, 3600, 86_400}) {
            Duration range = Duration.ofDays(days);
            long first = new RateSeries(Optional.of(range), bucket, 1800).showFrom(now);
            long start = now - range.toSeconds();
            assertThat(first).isBetween(start, start + bucket - 1);
            assertThat(first % bucket).isZero();
        }
    }
}

package org.prismpool.app.publicapi.model.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks of the table in spec 08 §7.8. */
class FormulasTest {

    private static final Optional<Duration> WEEK = Optional.of(Duration.ofDays(7));

    private static String rate(String difficulty, long seconds) {
        return Decimals.text(WorkRate.terahashes(new BigInteger(difficulty), seconds));
    }

    @ParameterizedTest
    @CsvSource({
        "207fffff, 1000000",
        "1e0fffff, 524288437500",
        "1d00ffff, 2147516160496101",
        "181b32da, 86812541144089706339356132",
        "181B32DA, 86812541144089706339356132",
    })
    void difficultyComesFromTheBits(String bits, BigInteger difficulty) {
        assertThat(CompactBits.of(bits)).hasValueSatisfying(read -> {
            assertThat(read.networkDifficulty()).isEqualTo(difficulty);
            assertThat(read.hex()).isLowerCase().isEqualToIgnoringCase(bits);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000",
                "1d000000",
                "1d80ffff",
                "ff00ffff",
                "1d00fff",
                "1d00ffff0",
                "xd00ffff",
                "",
                " 1d00fff"
            })
    void bitsWithoutATargetAreNone(String bits) {
        assertThat(CompactBits.of(bits)).isEmpty();
    }

    @Test
    void hashesPerUnitHaveFortyDigits() {
        assertThat(WorkRate.HASHES_PER_UNIT.toPlainString())
                .isEqualTo("0.000002000000238418607523275318536200348877948");
    }

    @Test
    void ratesAreTheTables() {
        assertThat(rate("8231979598912131605603", 3600)).isEqualTo("4.573322544578160095513022114663641081556");
        assertThat(rate("600000000000", 60)).isEqualTo("0.00000002000000238418607523275318536200348877948");
        assertThat(rate("187931789068725396283438155", 600)).isEqualTo("626439.3715731437528171322423926642409162");
        assertThat(rate("122996008292946295941599768", 600)).isEqualTo("409986.7431840493666811312639643046018645");
        assertThat(rate("694500329152717650714849056", 600)).isEqualTo("2315001.373145394504128352701051973627245");
    }

    @Test
    void withoutWorkOrTimeThereIsNoRate() {
        assertThat(rate("0", 60)).isEqualTo("0");
        assertThat(rate("-5", 60)).isEqualTo("0");
        assertThat(rate("5", 0)).isEqualTo("0");
        assertThat(rate("5", -1)).isEqualTo("0");
    }

    @Test
    void aRequestsThreadCalculatesAsPreciselyAsAnyOther() {
        String elsewhere = CompletableFuture.supplyAsync(() -> rate("8231979598912131605603", 3600))
                .join();

        assertThat(elsewhere).isEqualTo("4.573322544578160095513022114663641081556");
    }

    @ParameterizedTest
    @CsvSource({
        "0.000000000001, 1000000, 2",
        "2315000.75, 86812541144089706339356132, 75",
        "2315001.373145394504128352701051973627245, 86812541144089706339356132, 75",
    })
    void aBlockTakesWholeSeconds(String terahashes, BigInteger difficulty, BigInteger seconds) {
        assertThat(WorkRate.secondsToBlock(new BigDecimal(terahashes), difficulty))
                .contains(seconds);
    }

    @Test
    void withoutARateNoBlockIsExpected() {
        assertThat(WorkRate.secondsToBlock(BigDecimal.ZERO, BigInteger.TEN)).isEmpty();
        assertThat(WorkRate.secondsToBlock(BigDecimal.valueOf(-1), BigInteger.TEN))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"27.06, 250000000, 100, 66973500", "33.333333, 1000, 0, 333", "50, 1000, 10000, 0", "0, 1000, 0, 0"})
    void theNextBlocksRewardIsRoundedDown(String percent, long coinbase, int feeBps, BigInteger reward) {
        assertThat(RewardShare.estimatedReward(new BigDecimal(percent), coinbase, feeBps))
                .isEqualTo(reward);
    }

    @Test
    void percentIsExactToFortyDigits() {
        assertThat(RewardShare.percent(BigInteger.ONE, BigInteger.valueOf(3)).map(Decimals::text))
                .contains("33.33333333333333333333333333333333333333");
        assertThat(RewardShare.percent(BigInteger.ONE, BigInteger.valueOf(4)).map(Decimals::text))
                .contains("25");
        assertThat(RewardShare.percent(BigInteger.ONE, BigInteger.ZERO)).isEqualTo(Optional.empty());
    }

    @Test
    void theWindowWeighsEightBlocks() {
        assertThat(RewardShare.windowWeight(new BigInteger("86812541144089706339356132")))
                .isEqualTo("694500329152717650714849056");
        assertThat(RewardShare.windowWeight(BigInteger.valueOf(-3))).isZero();
    }

    @ParameterizedTest
    @CsvSource({"10.50, 10.5", "1E+3, 1000", "0.0, 0", "-0.10, -0.1", "1E-9, 0.000000001", "100, 100", "0E+7, 0"})
    void decimalsHaveOneForm(String value, String text) {
        assertThat(Decimals.text(new BigDecimal(value))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-06-26 19:55:00.123456+00, 2026-06-26T19:55:00.123456Z",
        "2026-06-26 19:55:00+00:00, 2026-06-26T19:55:00Z",
        "2026-06-26T19:55:00+00:00, 2026-06-26T19:55:00Z",
        "2026-06-26T19:55:00Z, 2026-06-26T19:55:00Z",
    })
    void databaseTextBecomesAPublicTime(String database, String text) {
        assertThat(PublicTime.ofDatabaseText(database)).isEqualTo(text);
    }

    @Test
    void applicationTimesAreWholeSeconds() {
        assertThat(PublicTime.text(Instant.parse("2026-06-26T19:55:00.999Z"))).isEqualTo("2026-06-26T19:55:00Z");
        assertThat(PublicTime.ofMillis(1_700_000_000_999L)).isEqualTo("2023-11-14T22:13:20Z");
        assertThat(PublicTime.ofSeconds(1_700_000_000L)).isEqualTo("2023-11-14T22:13:20Z");
    }

    private static RateSeries.Work work(int minute, String difficulty) {
        return new RateSeries.Work(minute * 60L, 1, new BigInteger(difficulty));
    }

    private static List<String> rates(RateSeries series, List<RateSeries.Work> read) {
        return series.points(read, 0).stream()
                .map(point -> Decimals.text(point.terahashes()))
                .toList();
    }

    @Test
    void fiveMinutesAreSmoothedOverSixBuckets() {
        RateSeries series = new RateSeries(Optional.empty(), 300, 1800);

        assertThat(rates(series, List.of(work(0, "600000000000"), work(5, "0"), work(35, "1200000000000"))))
                .containsExactly(
                        "0.0000000006666667461395358410917728454001162926494",
                        "0.0000000006666667461395358410917728454001162926494",
                        "0.000000001333333492279071682183545690800232585299");
    }

    @Test
    void aWindowOfLessThanTwoBucketsLeavesTheRates() {
        List<RateSeries.Work> read = List.of(work(0, "3600000000"), work(60, "7200000000"));

        for (int smoothing : new int[] {0, 1800, 7199}) {
            assertThat(rates(new RateSeries(Optional.empty(), 3600, smoothing), read))
                    .containsExactly(rate("3600000000", 3600), rate("7200000000", 3600));
        }
        assertThat(rates(new RateSeries(Optional.empty(), 3600, 7200), read))
                .containsExactly(rate("3600000000", 7200), rate("10800000000", 7200));
    }

    @Test
    void aBoundedRangeReadsAheadOfItsFirstPointAndShowsWholeBuckets() {
        RateSeries hours = new RateSeries(WEEK, 3600, 1800);
        assertThat(hours.showFrom(1_000_000)).isEqualTo(396_000);
        assertThat(hours.readFrom(1_000_000)).isEqualTo(395_200);

        RateSeries minutes = new RateSeries(WEEK, 300, 1800);
        assertThat(minutes.showFrom(1_000_000)).isEqualTo(395_400);
        assertThat(minutes.readFrom(1_000_000)).isEqualTo(395_200 - 1800);

        RateSeries all = new RateSeries(Optional.empty(), 86_400, 1800);
        assertThat(all.readFrom(1_000_000)).isZero();
    }

    @Test
    void bucketsBeforeTheRangeCountButAreNotShown() {
        RateSeries series = new RateSeries(WEEK, 300, 600);
        RateSeries.Work before = new RateSeries.Work(395_100, 1, BigInteger.valueOf(1_000_000));
        RateSeries.Work first = new RateSeries.Work(395_400, 2, BigInteger.valueOf(3_000_000));

        List<RateSeries.Point> points = series.points(List.of(before, first), 1_000_000);

        assertThat(points)
                .containsExactly(new RateSeries.Point(first, WorkRate.terahashes(BigInteger.valueOf(4_000_000), 600)));
    }

    @Test
    void bucketsOutOfOrderAreAFault() {
        RateSeries series = new RateSeries(Optional.empty(), 300, 1800);

        assertThatThrownBy(() -> series.points(List.of(work(5, "1"), work(0, "1")), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

package org.prismpool.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.app.publicapi.PublicBody;

/** The page without a browser (spec 08 §8.4). */
class DashboardTest {

    /** The values of the sample {@code pool-summary.json}. */
    private static final String SUMMARY = """
            {"schema": "prism.dashboard.pool-summary.v1", "generated_at": "2026-06-26T20:45:00Z",
             "network": {"name": "qbit-signet", "height": 123456,
               "tip_hash": "0000000000000000000abc123000000000000000000000000000000000000001",
               "bits": "181b32da", "network_difficulty": "86812541144089706339356132",
               "initial_block_download": false, "peers": 8},
             "pool": {"name": "NAME", "hashrate_ths": {"h1": "2440000.25", "h3": "2315000.75", "h24": "2201000.5"},
               "participants_3h": 42, "blocks_found_total": 1128, "prism_blocks_total": 1128,
               "total_mined_bits": 32000000000, "expected_time_to_block_seconds": ETA, "latest_block": LATEST,
               "reward_window": {"window_multiplier": 8, "requested_window_weight": "694500329152717650714849056",
                 "oldest_share_accepted_at": null, "newest_share_accepted_at": null, "included_share_count": 1942}}}
            """;

    private static final String LATEST = """
            {"height": 123450, "hash": "aa", "found_at": "2026-06-26T19:55:00Z", "age_seconds": 3000,
             "solver_recipient_id": "", "solver_worker_name": null}
            """;

    private static DashboardEndpoint page(Optional<String> summary, boolean operators) {
        return new DashboardEndpoint(
                new FirstPaint(
                        () -> summary.map(text -> new PublicBody(text.getBytes(StandardCharsets.UTF_8))), "My <pool>"),
                operators);
    }

    private static Optional<HttpAnswer> get(DashboardEndpoint page, String... segments) throws Exception {
        return page.answer(HttpQuery.of(List.of(segments), Map.of()));
    }

    private static String text(HttpAnswer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static String summary(String name, String eta, String latest) {
        return SUMMARY.replace("NAME", name).replace("ETA", eta).replace("LATEST", latest);
    }

    @Test
    void isPaintedWithTheSummaryBeforeAnyScriptRuns() throws Exception {
        String html = text(
                get(page(Optional.of(summary("PRISM", "75", LATEST)), false)).orElseThrow());

        assertThat(html)
                .contains("2.44 EH/s", "2.32 EH/s", "2.20 EH/s", "1 min 15 s", "1,128", "123,456", "qbit-signet")
                .contains("320.00000000 (32,000,000,000 bits)", "123,450, 50 min ago", "86.8 Y", "1,942 shares")
                .contains("data-private=\"false\"", "data-state=\"ok\"")
                .doesNotContain("{{");
    }

    @Test
    void showsWhatIsUnknownAsSuch() throws Exception {
        String html = text(
                get(page(Optional.of(summary("PRISM", "null", "null")), false)).orElseThrow());

        assertThat(html).contains("<dd data-fact=\"eta\">–</dd>", "<dd data-fact=\"latest\">none yet</dd>");
    }

    @Test
    void saysThatThereIsNoSummaryAndStillComes() throws Exception {
        HttpAnswer answer = get(page(Optional.empty(), true), "dashboard").orElseThrow();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(text(answer))
                .contains("data-state=\"error\"", "the pool summary cannot be had now", "data-private=\"true\"")
                .contains("<h1 id=\"pool-name\">My &lt;pool&gt;</h1>")
                .doesNotContain("{{");
    }

    @Test
    void writesTextAsTextAndNeverAsMarkup() throws Exception {
        String name = "</h1><script>alert(1)</script>$1\\\\\\" + "\"'&";

        String html =
                text(get(page(Optional.of(summary(name, "1", "null")), false)).orElseThrow());

        assertThat(html)
                .doesNotContain("<script>alert")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;$1\\&quot;&#39;&amp;");
    }

    @Test
    void carriesThePolicyThatKeepsEverythingElseOut() throws Exception {
        DashboardEndpoint page = page(Optional.empty(), false);
        for (HttpAnswer answer : List.of(
                get(page).orElseThrow(), get(page, "dashboard", "page.js").orElseThrow())) {
            assertThat(answer.headers())
                    .containsEntry(
                            "Content-Security-Policy",
                            "default-src 'none'; connect-src 'self'; style-src 'self' 'unsafe-inline'; "
                                    + "script-src 'self'; img-src 'self' data:");
        }
    }

    @Test
    void needsNothingFromElsewhereAndStaysSmall() throws Exception {
        DashboardEndpoint page = page(Optional.empty(), false);
        String html = text(get(page).orElseThrow());

        assertThat(html.length()).isLessThan(100 * 1024);
        assertThat(html).doesNotContain("<script>", " onclick", " onload", "@import", "url(");
        Matcher sources = Pattern.compile("(?:src|href)=\"([^\"]+)\"").matcher(html);
        while (sources.find()) {
            assertThat(sources.group(1)).matches("(/dashboard/page\\.js|/public/v1.*|data:.*)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"page.js", "feed.js", "format.js", "chart.js"})
    void servesItsScriptsWhichImportEachOtherOnlyAndWriteNoMarkup(String name) throws Exception {
        HttpAnswer answer =
                get(page(Optional.empty(), false), "dashboard", name).orElseThrow();

        assertThat(answer.contentType()).isEqualTo("text/javascript; charset=utf-8");
        assertThat(text(answer))
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
        Matcher imports = Pattern.compile("from '([^']+)'").matcher(text(answer));
        while (imports.find()) {
            assertThat(get(
                            page(Optional.empty(), false),
                            "dashboard",
                            imports.group(1).substring(2)))
                    .isPresent();
        }
    }

    @Test
    void knowsNoOtherPath() throws Exception {
        DashboardEndpoint page = page(Optional.empty(), false);

        assertThat(get(page, "dashboard", "page.html")).isEmpty();
        assertThat(get(page, "dashboard", "page.js", "x")).isEmpty();
        assertThat(get(page, "public", "v1")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2315000.75, 2.32 EH/s",
        "12.5, 12.5 TH/s",
        "999.4, 999 TH/s",
        "0.00000002000000238, 20.0 kH/s",
        "0.0000000000000001, 0.10 mH/s",
        "0, 0 H/s",
        "1000000000000000000, 1000000 YH/s"
    })
    void aHashRateHasTheUnitThatFits(String ths, String shown) {
        assertThat(Units.rate(ths)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 s", "59, 59 s", "60, 1 min", "61, 1 min 1 s", "3600, 1 h 0 min", "90061, 1 d 1 h", "-5, 0 s"})
    void aDurationHasTwoUnitsAtMost(String seconds, String shown) {
        assertThat(Units.duration(new BigInteger(seconds))).isEqualTo(shown);
    }

    @Test
    void bitsAreShownAsCoinsWithEightDecimals() {
        assertThat(Units.coins(BigInteger.ZERO)).isEqualTo("0.00000000 (0 bits)");
        assertThat(Units.coins(BigInteger.valueOf(123_456_789_012L)))
                .isEqualTo("1,234.56789012 (123,456,789,012 bits)");
        assertThat(Units.shortened("999")).isEqualTo("999");
        assertThat(Units.shortened("86812541144089706339356132")).isEqualTo("86.8 Y");
    }
}

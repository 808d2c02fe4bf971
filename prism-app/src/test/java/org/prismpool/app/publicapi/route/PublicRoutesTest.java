package org.prismpool.app.publicapi.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpQuery;

/** Which question a request becomes, and the texts of those that become none (spec 08 §7.4, §7.7, A20 to A22). */
class PublicRoutesTest {

    private static final String HASH = "ab".repeat(32);

    private final TestApi api = new TestApi();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/pool-summary | summary",
                "/pool-summary?unknown=1 | summary",
                "/hashrate-series | series pool 1m 1h",
                "/hashrate-series?range=1w | series pool 1w 1h",
                "/hashrate-series?range=6m&bucket=auto | series pool 6m 1d",
                "/hashrate-series?range=all | series pool all 1d",
                "/hashrate-series?range=all&bucket=5m&subject=miner:m1 | series m1 all 5m",
                "/leaderboard | leaderboard 3h 1/15 search= recipient=",
                "/leaderboard?window=3h&search= rig &page=2&limit=100 | leaderboard 3h 2/100 search=rig recipient=",
                "/leaderboard?window=reward&recipient_id=m1 | leaderboard reward 1/15 search= recipient=m1",
                "/leaderboard?window=reward&search=m | leaderboard reward 1/15 search=m recipient=",
                "/blocks | blocks 1/15",
                "/blocks?page= 7 &limit=+1 | blocks 7/1",
                "/fanouts/pending?limit=3 | pending 1/3",
                "/miners/m1 | miner m1",
                "/miners/ m1  | miner m1",
                "/miners/m1/earnings | earnings m1 1/15",
                "/miners/m1/payouts?page=3 | payouts m1 3/15",
                "/miners/m1/workers | workers m1 1/15 search= hide=true",
                "/miners/m1/workers?hide_inactive=0&search=a | workers m1 1/15 search=a hide=false",
                "/miners/m1/workers?hide_inactive=ON | workers m1 1/15 search= hide=true",
                "/miners/m1/workers?hide_inactive=maybe | workers m1 1/15 search= hide=false",
                "/miners/pending | miner pending",
            })
    void aRequestBecomesTheQuestion(String url, String question) throws Exception {
        assertThat(api.get(url).status()).isEqualTo(200);

        assertThat(api.models.asked()).containsExactly(question);
    }

    @Test
    void hashesAreAskedForInLowerCase() throws Exception {
        String upper = "AB".repeat(32);

        api.get("/blocks/" + upper + "/settlement-artifacts");
        api.get("/fanouts/" + upper);
        api.get("/artifacts/" + upper);

        assertThat(api.models.asked()).containsExactly("settlement " + HASH, "fanout " + HASH, "artifact " + HASH);
    }

    @Test
    void aSegmentIsSplitBeforeItIsDecoded() throws Exception {
        api.get(new HttpQuery(List.of("public", "v1", "miners", "a/b"), Map.of()));

        assertThat(api.models.asked()).containsExactly("miner a/b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/blocks?page=x | page and limit must be integers",
                "/blocks?limit=1.5 | page and limit must be integers",
                "/blocks?page=99999999999999999999 | page and limit must be integers",
                "/blocks?page=0 | page must be >= 1",
                "/blocks?page=0&limit=x | page and limit must be integers",
                "/blocks?limit=0 | limit must be between 1 and 100",
                "/blocks?limit=101 | limit must be between 1 and 100",
                "/fanouts/pending?page=-1 | page must be >= 1",
                "/miners/m1/earnings?limit=101 | limit must be between 1 and 100",
                "/miners/m1/payouts?page=x | page and limit must be integers",
                "/miners/m1/workers?page=0 | page must be >= 1",
                "/leaderboard?window=24h | window must be one of 3h, reward",
                "/leaderboard?recipient_id=m1 | recipient_id requires window=reward",
                "/leaderboard?window=3h&recipient_id=m1 | recipient_id requires window=reward",
                "/leaderboard?window=reward&recipient_id=m1&search=m "
                        + "| search and recipient_id are mutually exclusive",
                "/hashrate-series?range=window | range must be one of 1w, 1m, 6m, all",
                "/hashrate-series?bucket=1m | bucket must be one of auto, 5m, 1h, 1d",
                "/hashrate-series?subject=all | subject must be pool or miner:{recipient_id}",
                "/hashrate-series?subject=miner: | subject must be pool or miner:{recipient_id}",
                "/blocks/xyz/settlement-artifacts | hash must be 64 hex characters",
                "/fanouts/xyz | fanout txid must be 64 hex characters",
                "/artifacts/xyz | artifact sha256 must be 64 hex characters",
                "/miners/ /payouts | recipient_id is required",
            })
    void whatCannotBeReadIsTheSendersFault(String url, String message) throws Exception {
        assertRefused(api.get(url), 400, "bad_request", message);
        assertThat(api.models.asked()).isEmpty();
    }

    @Test
    void longTextsAreRefusedAndOnesThatJustFitAreNot() throws Exception {
        assertRefused(
                api.get("/leaderboard?search=" + "s".repeat(129)),
                400,
                "bad_request",
                "search must be 128 characters or fewer");
        assertRefused(
                api.get("/miners/" + "r".repeat(257)),
                400,
                "bad_request",
                "recipient_id must be 256 characters or fewer");
        assertRefused(
                api.get("/hashrate-series?subject=miner:" + "r".repeat(257)),
                400,
                "bad_request",
                "recipient_id must be 256 characters or fewer");

        assertThat(api.get("/leaderboard?search=" + "s".repeat(128)).status()).isEqualTo(200);
        assertThat(api.get("/miners/" + "r".repeat(256)).status()).isEqualTo(200);
        assertThat(api.get("/miners/m1/workers?search=" + "𝕊".repeat(128)).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/nothing",
                "/pool-summary/x",
                "/hashrate-series/x",
                "/leaderboard/x",
                "/mining-configuration/x",
                "/blocks/aa",
                "/blocks/aa/other",
                "/blocks/aa/settlement-artifacts/x",
                "/fanouts",
                "/fanouts/a/b",
                "/artifacts",
                "/artifacts/a/b",
                "/miners",
                "/miners/a/b",
                "/miners/a/b/c",
                "/miners/a/earnings/x"
            })
    void anUnknownPathIsNotFoundInThePublicForm(String url) throws Exception {
        assertRefused(api.get(url), 404, "not_found", "unknown public dashboard endpoint");
        assertThat(api.models.asked()).isEmpty();
    }

    private static void assertRefused(HttpAnswer answer, int status, String code, String message) throws Exception {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.headers()).containsEntry("Cache-Control", "no-store").doesNotContainKey("CDN-Cache-Control");
        JsonNode body = TestApi.json(answer);
        assertThat(body.properties()).extracting(Map.Entry::getKey).containsExactly("error", "schema");
        assertThat(body.get("schema").asText()).isEqualTo("prism.dashboard.error.v1");
        JsonNode error = body.get("error");
        assertThat(error.properties()).extracting(Map.Entry::getKey).containsExactly("code", "message", "request_id");
        assertThat(error.get("code").asText()).isEqualTo(code);
        assertThat(error.get("message").asText()).isEqualTo(message);
        assertThat(error.get("request_id").isNull()).isTrue();
    }
}

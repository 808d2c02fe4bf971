package org.prismpool.app.publicapi.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.prismpool.config.Environment;

/** The document that a miner copies its connection from (spec 08 §7.7; the sample is {@code mining-configuration.json}). */
class MiningConfigurationTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static JsonNode document(MiningConfiguration configuration) throws Exception {
        return JSON.readTree(configuration.body().bytes());
    }

    private static JsonNode document(String... settings) throws Exception {
        return document(MiningConfiguration.of(TestApi.environment(settings), TestApi.WALL));
    }

    private static JsonNode endpoint(JsonNode document, int index) {
        return document.at("/configurations/0/stratum_endpoints/" + index);
    }

    @Test
    void theSampleComesOutOfItsSettings() throws Exception {
        JsonNode document = document(
                "PRISM_PUBLIC_STRATUM_HOST", "mine.prism.example",
                "PRISM_STRATUM_HIGHDIFF_PORT", "4334",
                "PRISM_PUBLIC_POOL_FEE_BPS", "100");

        assertThat(document).isEqualTo(JSON.readTree("""
                {"schema": "prism.dashboard.mining-configuration.v1",
                 "generated_at": "2026-06-26T20:45:00Z",
                 "active_configuration_id": "default",
                 "configurations": [{
                   "id": "default",
                   "label": "PRISM default",
                   "description":
                     "Default PRISM Stratum endpoint using the pool's current block template and payout policy.",
                   "pool_fee_bps": 100,
                   "block_template_policy": "pool-selected qbit block template with PRISM payout settlement",
                   "stratum_endpoints": [
                     {"label": "Primary", "url": "stratum+tcp://mine.prism.example:3340",
                      "protocol": "stratum_v1", "default_port": 3340},
                     {"label": "High-diff", "url": "stratum+tcp://mine.prism.example:4334",
                      "protocol": "stratum_v1", "default_port": 4334}]}]}
                """));
    }

    @Test
    void withoutAHighDifficultyListenerThereIsOneEndpoint() throws Exception {
        assertThat(document().at("/configurations/0/stratum_endpoints")).hasSize(1);
    }

    @Test
    void theSecondEndpointHasSchemeAndHostOfTheFirst() throws Exception {
        JsonNode document = document(
                "PRISM_PUBLIC_STRATUM_URL", "stratum+ssl://[2001:db8::5]:7000",
                "PRISM_STRATUM_HIGHDIFF_PORT", "4334");

        assertThat(endpoint(document, 0).get("default_port").asInt()).isEqualTo(7000);
        assertThat(endpoint(document, 1).get("url").asText()).isEqualTo("stratum+ssl://[2001:db8::5]:4334");
    }

    @Test
    void aUrlWithoutPortShowsThePortOfTheListener() throws Exception {
        JsonNode document = document(
                "PRISM_PUBLIC_STRATUM_URL", "stratum+tcp://pool.example",
                "PRISM_PUBLIC_STRATUM_HIGHDIFF_URL", "stratum+tcp://high.example",
                "PRISM_STRATUM_HIGHDIFF_PORT", "4334");

        assertThat(endpoint(document, 0).get("default_port").asInt()).isEqualTo(3340);
        assertThat(endpoint(document, 1).get("url").asText()).isEqualTo("stratum+tcp://high.example");
        assertThat(endpoint(document, 1).get("default_port").asInt()).isEqualTo(4334);
    }

    @Test
    void anIpv6HostIsPutInBrackets() throws Exception {
        JsonNode document = document("PRISM_STRATUM_BIND", "::1", "PRISM_STRATUM_HIGHDIFF_PORT", "4334");

        assertThat(endpoint(document, 0).get("url").asText()).isEqualTo("stratum+tcp://[::1]:3340");
        assertThat(endpoint(document, 1).get("url").asText()).isEqualTo("stratum+tcp://[::1]:4334");
    }

    @Test
    void thePortThatWasTakenIsShownInsteadOfTheConfiguredOne() throws Exception {
        Environment e = TestApi.environment();

        JsonNode document = document(new MiningConfiguration(e, 40123, TestApi.WALL));

        assertThat(endpoint(document, 0).get("url").asText()).endsWith(":40123");
        assertThat(endpoint(document, 0).get("default_port").asInt()).isEqualTo(40123);
    }
}

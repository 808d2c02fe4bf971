package org.prismpool.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.config.variable.PublicApiVariables;

/** The URLs that a pool announces when none is configured (spec 01, 08 §7.7). */
class PublicUrlsTest {

    @ParameterizedTest
    @CsvSource({
        "PRISM_PUBLIC_STRATUM_HOST, pool.example, stratum+tcp://pool.example:3340, stratum+tcp://pool.example:4334",
        "PRISM_PUBLIC_STRATUM_HOST, my_pool.example, stratum+tcp://my_pool.example:3340, stratum+tcp://my_pool.example:4334",
        "PRISM_STRATUM_BIND, 2001:db8::1, stratum+tcp://[2001:db8::1]:3340, stratum+tcp://[2001:db8::1]:4334",
        "PRISM_PUBLIC_STRATUM_URL, stratum+ssl://[2001:db8::5]:7000, stratum+ssl://[2001:db8::5]:7000, "
                + "stratum+ssl://[2001:db8::5]:4334",
    })
    void theHighDifficultyUrlFollowsTheFirst(String name, String value, String first, String second) {
        Map<String, String> texts =
                Baselines.with(Baselines.lab(), name + "=" + value, "PRISM_STRATUM_HIGHDIFF_PORT=4334");

        Environment e = Baselines.load(texts).environment();

        assertThat(e.get(PublicApiVariables.PUBLIC_STRATUM_URL)).isEqualTo(first);
        assertThat(e.get(PublicApiVariables.PUBLIC_STRATUM_HIGHDIFF_URL)).isEqualTo(second);
    }
}

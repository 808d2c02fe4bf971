package org.prismpool.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.prismpool.config.render.ConfigExplainer;
import org.prismpool.config.render.ConfigPrinter;
import org.prismpool.config.variable.Variable;

/** Spec 01 trap T42: no text of a secret variable reaches a report or a print-out. */
class SecretsProperties {

    @Property(tries = 300)
    void noSecretIsShown(@ForAll("secretNames") String name, @ForAll("garbage") String text) {
        Map<String, String> environment = Baselines.with(Baselines.lab(), name + "=" + text);
        ConfigLoader loader = PrismConfiguration.loader();
        ConfigReport report = loader.load(environment);
        String shown = report.render()
                + new ConfigPrinter(loader.registry()).print(report.environment(), false)
                + new ConfigExplainer(loader)
                        .explain(name, report.environment())
                        .orElseThrow();

        assertThat(shown).doesNotContain(text);
    }

    @Provide
    Arbitrary<String> secretNames() {
        return Arbitraries.of(PrismConfiguration.registry().variables().stream()
                .filter(Variable::secret)
                .map(Variable::name)
                .toList());
    }

    /** Long enough not to occur by chance in a message. */
    @Provide
    Arbitrary<String> garbage() {
        return Arbitraries.strings().withCharRange('!', '~').ofMinLength(12).ofMaxLength(70);
    }
}

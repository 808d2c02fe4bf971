package org.prismpool.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.prismpool.app.composition.settings.SettingsWithoutEffect;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.variable.Variable;

/** A name that is accepted must do something: an operator who sets it would never learn that it does not. */
class ConfigurationUseTest {

    @Test
    void everyVariableThatClaimsAnEffectIsReadSomewhere() throws IllegalAccessException {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("org.prismpool");
        Set<String> unread = new TreeSet<>();
        for (JavaField field : classes.stream()
                .filter(type -> type.getPackageName().equals("org.prismpool.config.variable"))
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.getRawType().isEquivalentTo(Variable.class)
                        && field.getModifiers().contains(JavaModifier.STATIC))
                .toList()) {
            Variable<?> variable = (Variable<?>) field.reflect().get(null);
            boolean read = field.getAccessesToSelf().stream()
                    .anyMatch(
                            access -> !access.getOriginOwner().getPackageName().startsWith("org.prismpool.config"));
            boolean reachedByPrimary = primaries().stream()
                    .anyMatch(primary -> primary.alias().map(Variable::name).equals(Optional.of(variable.name())));
            boolean readByRules = variable.owner().equals("config");
            if (variable.effective() && !read && !reachedByPrimary && !readByRules) {
                unread.add(variable.name());
            }
        }

        assertThat(unread).containsExactlyElementsOf(SettingsWithoutEffect.names());
    }

    @Test
    void whoeverSetsANameWithoutEffectIsToldAndWhoeverPassesItsDefaultIsNot() {
        assertThat(SettingsWithoutEffect.given(Map.of(
                        "PRISM_STRATUM_SHARE_WEIGHT", "2",
                        "PRISM_PAYOUT_ADDRESS_CACHE_MAX_ENTRIES", "4096",
                        "PRISM_POSTGRES_NATIVE_CLIENT", "",
                        "PRISM_STRATUM_PORT", "4000")))
                .containsExactly("PRISM_STRATUM_SHARE_WEIGHT");
    }

    private static List<Variable<?>> primaries() {
        return PrismConfiguration.registry().variables();
    }
}

package org.prismpool.lifecycle;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which package may know which, and who may look at a clock. */
class FloorsTest {

    private static final String ROOT = "org.prismpool.lifecycle";

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void aPackageKnowsOnlyTheFloorsAboveIt() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("time")
                .definedBy(ROOT + ".time", ROOT + ".testing")
                .layer("executor")
                .definedBy(ROOT + ".executor")
                .layer("event")
                .definedBy(ROOT + ".event")
                .layer("shutdown")
                .definedBy(ROOT + ".shutdown")
                .layer("service")
                .definedBy(ROOT + ".service")
                .layer("watchdog")
                .definedBy(ROOT + ".watchdog")
                .layer("health")
                .definedBy(ROOT + ".health")
                .layer("startup")
                .definedBy(ROOT + ".startup")
                .layer("metrics")
                .definedBy(ROOT + ".metrics")
                .whereLayer("time")
                .mayNotAccessAnyLayer()
                .whereLayer("event")
                .mayNotAccessAnyLayer()
                .whereLayer("executor")
                .mayOnlyAccessLayers("time")
                .whereLayer("startup")
                .mayOnlyAccessLayers("time")
                .whereLayer("shutdown")
                .mayOnlyAccessLayers("time", "event")
                .whereLayer("service")
                .mayOnlyAccessLayers("time", "event", "shutdown")
                .whereLayer("watchdog")
                .mayOnlyAccessLayers("time", "event", "shutdown", "service")
                .whereLayer("health")
                .mayOnlyAccessLayers("time", "event", "service")
                .whereLayer("metrics")
                .mayNotBeAccessedByAnyLayer()
                .check(classes);
    }

    @Test
    void noOtherModuleIsKnown() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.prismpool.app..",
                        "org.prismpool.bundle..",
                        "org.prismpool.config..",
                        "org.prismpool.delivery..",
                        "org.prismpool.payout..",
                        "org.prismpool.refresh..",
                        "org.prismpool.sharewriter..",
                        "org.prismpool.stratum..",
                        "org.prismpool.templates..")
                .check(classes);
    }

    @Test
    void theWallClockIsNeverRead() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(classes);
    }
}

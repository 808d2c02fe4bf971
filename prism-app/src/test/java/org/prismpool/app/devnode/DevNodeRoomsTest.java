package org.prismpool.app.devnode;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may import what among the development node and the miner. */
class DevNodeRoomsTest {

    private static final JavaClasses NODE = importPackage("org.prismpool.app.devnode");
    private static final JavaClasses MINER = importPackage("org.prismpool.app.demo.miner");

    @Test
    void theNodeKnowsOnlyTheChainVocabularyAndTheClock() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.prismpool.app.devnode..",
                        "org.prismpool.templates.chain..",
                        "org.prismpool.lifecycle.time..",
                        "com.fasterxml.jackson..",
                        "org.eclipse.jetty..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(NODE);
    }

    @Test
    void itsPackagesHaveNoCircles() {
        slices().matching("org.prismpool.app.devnode.(*)..")
                .should()
                .beFreeOfCycles()
                .check(NODE);
    }

    @Test
    void rulesAndStateKnowNeitherJsonNorHttp() {
        classes()
                .that()
                .resideInAnyPackage(
                        "..devnode.chain..",
                        "..devnode.validation..",
                        "..devnode.mempool..",
                        "..devnode.state..",
                        "..devnode.mining..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.prismpool.app.devnode..",
                        "org.prismpool.templates.chain..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(NODE);
    }

    @Test
    void theMinerSharesNothingWithThePool() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.prismpool.app.demo.miner..",
                        "com.fasterxml.jackson..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(MINER);
    }

    private static JavaClasses importPackage(String name) {
        // The rules look at names only, so the classes of the libraries are not read.
        return ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages(name);
        });
    }
}

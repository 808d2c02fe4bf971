package org.prismpool.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.net.http.HttpClient;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the dependency table: who may use whom, and where each foreign library may appear. */
class ArchitectureTest {

    private static final String ROOT = "org.prismpool.";
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "config", Set.of(),
            "lifecycle", Set.of(),
            "templates", Set.of("lifecycle"),
            "payout", Set.of("templates", "lifecycle"),
            "bundle", Set.of("payout", "templates", "lifecycle"),
            "refresh", Set.of("templates", "lifecycle"),
            "stratum", Set.of("templates", "lifecycle"),
            "delivery", Set.of("lifecycle"),
            "sharewriter", Set.of("lifecycle"),
            "app",
                    Set.of(
                            "config",
                            "lifecycle",
                            "templates",
                            "payout",
                            "bundle",
                            "refresh",
                            "stratum",
                            "delivery",
                            "sharewriter"));

    private static JavaClasses classes;

    @BeforeAll
    static void readClasses() {
        classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("org.prismpool");
    }

    static List<String> modules() {
        return List.copyOf(new TreeSet<>(ALLOWED.keySet()));
    }

    private static DescribedPredicate<JavaClass> inModule(String module) {
        return DescribedPredicate.describe(
                "in module " + module, c -> moduleOf(c).equals(module));
    }

    private static String moduleOf(JavaClass c) {
        String name = c.getPackageName() + ".";
        if (!name.startsWith(ROOT)) {
            return "";
        }
        return name.substring(ROOT.length()).split("\\.", 2)[0];
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aModuleUsesOnlyTheModulesOfItsRow(String module) {
        ArchRule rule = noClasses()
                .that(inModule(module))
                .should()
                .dependOnClassesThat(DescribedPredicate.describe("another module outside the row", c -> {
                    String other = moduleOf(c);
                    return !other.isEmpty()
                            && !other.equals(module)
                            && !ALLOWED.getOrDefault(module, Set.of()).contains(other);
                }));
        rule.check(classes);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void noModuleReachesIntoTheInternalsOfAnother(String module) {
        ArchRule rule = noClasses()
                .that(inModule(module))
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "internal to another module",
                        c -> !moduleOf(c).isEmpty()
                                && !moduleOf(c).equals(module)
                                && (c.getPackageName() + ".").contains(".internal.")));
        rule.allowEmptyShould(true).check(classes);
    }

    @ParameterizedTest
    @CsvSource({
        "io.netty,stratum", "org.jooq,sharewriter", "java.sql,sharewriter", "javax.sql,sharewriter",
                "org.postgresql,sharewriter",
        "com.zaxxer,sharewriter", "org.flywaydb,sharewriter", "org.eclipse.jetty,app", "picocli,app", "io.zonky,app",
        "ch.qos.logback,app"
    })
    void aForeignLibraryStaysInItsModule(String library, String home) {
        ArchRule rule = noClasses()
                .that(DescribedPredicate.describe(
                        "outside " + home, c -> !moduleOf(c).equals(home)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library + "..");
        rule.check(classes);
    }

    @Test
    void onlyMainReadsTheProcessEnvironment() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Main.class.getName())
                .should()
                .callMethod(System.class, "getenv")
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .check(classes);
    }

    @Test
    void everyPackageIsNullMarked() {
        classes()
                .that()
                .haveSimpleName("package-info")
                .should()
                .beAnnotatedWith(org.jspecify.annotations.NullMarked.class)
                .check(classes);
        Set<String> described = new TreeSet<>();
        Set<String> packages = new TreeSet<>();
        for (JavaClass c : classes) {
            (c.getSimpleName().equals("package-info") ? described : packages).add(c.getPackageName());
        }
        packages.removeIf(ArchitectureTest::generated);
        assertThat(described).containsAll(packages);
    }

    /** On two cores the common pool has one thread: whoever waits on it stops everybody else who uses it. */
    @Test
    void nothingRunsInTheCommonPool() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.prismpool.app.check") // a command that has its process to itself
                .should()
                .accessTargetWhere(DescribedPredicate.describe(
                        "work goes to the common pool", access -> goesToTheCommonPool(access.getTarget())))
                .check(classes);
    }

    @Test
    void theRuleAboutTheCommonPoolSeesItsUse() {
        JavaClasses example = new ClassFileImporter().importClasses(UseOfTheCommonPool.class);
        List<String> seen = example.get(UseOfTheCommonPool.class).getAccessesFromSelf().stream()
                .filter(access -> goesToTheCommonPool(access.getTarget()))
                .map(access -> access.getTarget().getName())
                .sorted()
                .toList();
        assertThat(seen).containsExactly("commonPool", "parallel", "parallelStream", "supplyAsync", "thenApplyAsync");
    }

    /** What the rule must find, and beside it what it must leave alone. */
    static final class UseOfTheCommonPool {

        private UseOfTheCommonPool() {}

        static List<Object> uses(Executor own) {
            return List.of(
                    CompletableFuture.supplyAsync(() -> 1).thenApplyAsync(one -> one),
                    CompletableFuture.supplyAsync(() -> 1, own).thenApplyAsync(one -> one, own),
                    List.of(1).parallelStream(),
                    Stream.of(1).parallel(),
                    ForkJoinPool.commonPool());
        }
    }

    private static boolean goesToTheCommonPool(AccessTarget any) {
        if (!(any instanceof AccessTarget.CodeUnitAccessTarget target)) {
            return false;
        }
        JavaClass owner = target.getOwner();
        boolean withExecutor = target.getRawParameterTypes().stream().anyMatch(p -> p.isAssignableTo(Executor.class));
        return switch (target.getName()) {
            case "parallelStream" -> owner.isAssignableTo(Collection.class);
            case "parallel" -> owner.isAssignableTo(BaseStream.class);
            case "commonPool" -> owner.isAssignableTo(ForkJoinPool.class);
            case "sendAsync" -> owner.isAssignableTo(HttpClient.class); // completes its futures there
            default ->
                target.getName().endsWith("Async") && owner.isAssignableTo(CompletionStage.class) && !withExecutor;
        };
    }

    /** Of two files that need each other neither can be read, moved or reused alone; in one package they may be one thing. */
    @Test
    void noTwoFilesOfDifferentPackagesNeedEachOther() {
        Map<String, Set<String>> needs = new TreeMap<>();
        for (JavaClass c : classes) {
            if (generated(c.getPackageName())) {
                continue;
            }
            for (Dependency d : c.getDirectDependenciesFromSelf()) {
                JavaClass other = d.getTargetClass().getBaseComponentType();
                if (!moduleOf(other).isEmpty() && !other.getPackageName().equals(c.getPackageName())) {
                    needs.computeIfAbsent(file(c), name -> new TreeSet<>()).add(file(other));
                }
            }
        }
        Set<String> circles = new TreeSet<>();
        needs.forEach((file, others) -> others.stream()
                .filter(other -> needs.getOrDefault(other, Set.of()).contains(file))
                .forEach(other -> circles.add(file + " <-> " + other)));
        assertThat(needs).isNotEmpty();
        assertThat(circles).isEmpty();
    }

    private static boolean generated(String packageName) {
        return packageName.startsWith("org.prismpool.sharewriter.internal.schema");
    }

    private static String file(JavaClass c) {
        return c.getName().split("\\$", 2)[0];
    }

    @Test
    void noModuleHasPackagesInACircleWithTheProgram() {
        noClasses()
                .that(DescribedPredicate.describe(
                        "below prism-app", c -> !moduleOf(c).equals("app")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "app..")
                .check(classes);
    }
}

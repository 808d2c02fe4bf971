package org.prismpool.app.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.prismpool.app.composition.backend.LedgerSchema;
import org.prismpool.app.composition.backend.RestoreDrill;
import org.prismpool.sharewriter.LedgerRefusedException;
import org.prismpool.sharewriter.postgres.SchemaStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code prism migrate}: brings the ledger's schema up to date, says how it stands, takes one step back (spec 08 §8.1). */
@Command(
        name = "migrate",
        description = "Apply and inspect the ledger schema.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class MigrateCommand implements Runnable {

    private static final String REVERT = "revert-publication-ordinal";
    private static final int UNCONFIGURED = 1;
    private static final int REFUSED = 2;
    private static final int UNREACHABLE = 3;

    private final Map<String, String> process;

    @Spec
    private CommandSpec spec;

    @Mixin
    private EnvironmentFiles files = new EnvironmentFiles();

    @Option(
            names = "--database-url",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "Use this database instead of PRISM_DATABASE_URL.")
    private Optional<String> databaseUrl = Optional.empty();

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print the result as one JSON document.")
    private boolean json;

    MigrateCommand(Map<String, String> process) {
        this.process = process;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }

    @Command(
            name = "up",
            description = "Apply the schema; without effect when it is current.",
            mixinStandardHelpOptions = true)
    int up() throws IOException {
        return print(schema -> applied(schema.up(), "the schema is current"));
    }

    @Command(
            name = "status",
            description = "Show what is pending and what is missing.",
            mixinStandardHelpOptions = true)
    int status() throws IOException {
        return print(MigrateCommand::status);
    }

    @Command(
            name = REVERT,
            description = "Take the publication ordinal out of the schema, for a return to a release without it. Stop "
                    + "every coordinator first. The order of publication is lost.",
            mixinStandardHelpOptions = true)
    int revert(
            @Option(names = "--confirm", paramLabel = REVERT, description = "Repeat the command's name to go ahead.")
                    Optional<String> confirmation)
            throws IOException {
        if (confirmation.filter(REVERT::equals).isEmpty()) {
            return print(schema -> {
                throw new LedgerRefusedException(
                        loss(schema.publicationOrdinals()) + "; to go ahead add --confirm " + REVERT,
                        false,
                        new IllegalStateException());
            });
        }
        return print(schema -> {
            long lost = schema.publicationOrdinals();
            return schema.revertPublicationOrdinal()
                    ? applied(List.of(REVERT, loss(lost)), "")
                    : applied(List.of(), "the schema has no publication ordinal");
        });
    }

    @Command(
            name = "drill",
            description = "Check a restored database and its audit bodies before a coordinator starts on them; changes "
                    + "nothing. Fails if anything is missing or differs.",
            mixinStandardHelpOptions = true)
    int drill(
            @Option(names = "--audit-dir", paramLabel = "DIR", description = "Where the audit bodies were restored to.")
                    Optional<Path> auditFolder,
            @Option(
                            names = "--expect-share-seq",
                            paramLabel = "N",
                            defaultValue = "0",
                            description = "Last share sequence known from before; a lower one is a finding.")
                    long expectedShareSeq)
            throws IOException {
        RestoreDrill drill;
        try {
            drill = RestoreDrill.of(files.over(process), databaseUrl, auditFolder);
        } catch (IllegalArgumentException unset) {
            return failed(UNCONFIGURED, unset);
        }
        return answered(() -> DrillAnswer.of(drill.run(), expectedShareSeq));
    }

    private static String loss(long blocks) {
        return "the order of publication of " + blocks
                + " blocks is lost; a later migration numbers them anew by time found, then hash";
    }

    /**
     * What a command did, as text and as JSON.
     *
     * @param lines text
     * @param document JSON
     * @param status exit status
     */
    record Outcome(List<String> lines, ObjectNode document, int status) {}

    private static Outcome applied(List<String> steps, String nothing) {
        ObjectNode document = new ObjectMapper().createObjectNode();
        steps.forEach(document.putArray("applied")::add);
        List<String> lines = steps.isEmpty()
                ? List.of(nothing)
                : steps.stream().map(step -> "applied " + step).toList();
        return new Outcome(lines, document, 0);
    }

    private static Outcome status(LedgerSchema schema) {
        SchemaStatus status = schema.status();
        ObjectNode document = new ObjectMapper().createObjectNode();
        document.put("complete", status.complete());
        status.pending().forEach(document.putArray("pending")::add);
        status.missing().forEach(document.putArray("missing")::add);
        List<String> lines = new java.util.ArrayList<>();
        status.pending().forEach(step -> lines.add("pending " + step));
        status.missing().forEach(object -> lines.add("missing " + object));
        if (lines.isEmpty()) {
            lines.add("the schema is current");
        }
        return new Outcome(lines, document, 0);
    }

    private interface Action {
        Outcome run(LedgerSchema schema);
    }

    private int print(Action action) throws IOException {
        LedgerSchema schema;
        try {
            schema = LedgerSchema.of(files.over(process), databaseUrl);
        } catch (IllegalArgumentException unset) {
            return failed(UNCONFIGURED, unset);
        }
        return answered(() -> action.run(schema));
    }

    private int answered(Supplier<Outcome> action) {
        try {
            Outcome outcome = action.get();
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(outcome.document());
            } else {
                outcome.lines().forEach(out::println);
            }
            out.flush();
            return outcome.status();
        } catch (LedgerRefusedException refused) {
            return failed(REFUSED, refused);
        } catch (RuntimeException unreachable) {
            return failed(UNREACHABLE, unreachable);
        }
    }

    private int failed(int status, RuntimeException cause) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("prism migrate: " + cause.getMessage());
        err.flush();
        return status;
    }
}

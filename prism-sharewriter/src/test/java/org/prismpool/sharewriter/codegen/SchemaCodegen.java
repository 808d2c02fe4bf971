package org.prismpool.sharewriter.codegen;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.SchemaMappingType;
import org.jooq.meta.jaxb.Target;

/**
 * Generates the jOOQ classes of the ledger schema from the migrations, on an embedded PostgreSQL.
 *
 * <p>Also runs from source, before anything is compiled: it uses no class of this module.
 */
public final class SchemaCodegen {

    /** Package of the generated classes. */
    public static final String PACKAGE = "org.prismpool.sharewriter.internal.schema";

    private SchemaCodegen() {}

    /**
     * Starts a server of its own and writes the classes.
     *
     * @param args directory of the module
     * @throws Exception if the server does not start, the script fails or a file cannot be written
     */
    public static void main(String[] args) throws Exception {
        Path module = Path.of(args[0]);
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
            generate(postgres.getJdbcUrl("postgres", "postgres"), module, module.resolve("src/main/generated"));
        }
    }

    /**
     * Applies the migrations to an empty database and writes the classes.
     *
     * @param jdbcUrl empty database
     * @param module directory of the module
     * @param target directory of the generated sources
     * @throws Exception if the script fails or a file cannot be written
     */
    public static void generate(String jdbcUrl, Path module, Path target) throws Exception {
        Path script = module.resolve("src/main/resources/org/prismpool/sharewriter/schema/V1__ledger_contract.sql");
        try (Connection connection = java.sql.DriverManager.getConnection(jdbcUrl);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(Files.readString(script));
            connection.commit();
        }
        GenerationTool.generate(new Configuration()
                .withJdbc(new Jdbc().withUrl(jdbcUrl))
                .withGenerator(new Generator()
                        .withDatabase(new Database()
                                .withName("org.jooq.meta.postgres.PostgresDatabase")
                                .withIncludes("qbit_.*")
                                .withIncludeSystemSequences(true)
                                .withSchemata(new SchemaMappingType()
                                        .withInputSchema("public")
                                        .withOutputSchemaToDefault(true)))
                        .withGenerate(new Generate()
                                .withRecords(true)
                                .withGeneratedAnnotation(false)
                                .withJavaTimeTypes(true)
                                .withComments(true))
                        .withTarget(new Target().withPackageName(PACKAGE).withDirectory(target.toString()))));
    }
}

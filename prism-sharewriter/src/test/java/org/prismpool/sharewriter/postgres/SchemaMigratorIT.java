package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.TestPostgres;

class SchemaMigratorIT {

    @Test
    void anEmptyDatabaseGetsExactlyTheContractCatalogue() throws Exception {
        String url = TestPostgres.emptyDatabase();
        SchemaMigrator migrator = new SchemaMigrator(PostgresTarget.parse(url));
        assertThat(migrator.status().complete()).isFalse();

        assertThat(migrator.up()).hasSize(1);

        assertThat(migrator.status().missing()).isEmpty();
        assertThat(migrator.status().pending()).isEmpty();
        JsonNode catalogue = tree("/vectors/ledger/catalogue.json");
        assertThat(tree("/org/prismpool/sharewriter/schema/contract.json"))
                .as("every definition that was not missing above is the catalogue's")
                .isEqualTo(catalogue);
        assertThat(count(url, "pg_class WHERE relkind = 'r' AND relname LIKE 'qbit_%'"))
                .isEqualTo(catalogue.path("tables").size());
        assertThat(count(url, "pg_class WHERE relkind = 'S' AND relname LIKE 'qbit_%'"))
                .isEqualTo(catalogue.path("sequences").size());
        assertThat(count(url, "pg_proc WHERE proname LIKE 'qbit_%'"))
                .isEqualTo(catalogue.path("functions").size());
        int indexes = 0;
        int constraints = 0;
        int triggers = 0;
        for (JsonNode table : catalogue.path("tables")) {
            indexes += table.path("indexes").size();
            constraints += table.path("constraints").size();
            triggers += table.path("triggers").size();
        }
        assertThat(count(url, "pg_indexes WHERE tablename LIKE 'qbit_%'")).isEqualTo(indexes);
        assertThat(count(url, "pg_constraint WHERE conname LIKE 'qbit_%' AND contype IN ('p','u','f','c')"))
                .isEqualTo(constraints);
        assertThat(count(url, "pg_trigger WHERE tgname LIKE 'qbit_%'")).isEqualTo(triggers);
    }

    private static int count(String url, String from) {
        return Integer.parseInt(TestPostgres.ask(url, "SELECT count(*) FROM " + from));
    }

    private static JsonNode tree(String resource) throws Exception {
        try (InputStream in = SchemaMigratorIT.class.getResourceAsStream(resource)) {
            return new ObjectMapper().readTree(in);
        }
    }
}

package org.prismpool.sharewriter.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Compares a database with the contract's catalogue: tables, columns, rules, indexes, triggers, sequences, functions. */
final class SchemaContract {

    private static final String CONTRACT = "/org/prismpool/sharewriter/schema/contract.json";

    private static final String OURS = " n.nspname = current_schema()";

    /** Each query yields the object's name and its definition as PostgreSQL prints it. */
    private static final List<String> QUERIES = List.of(
            "SELECT 'column ' || c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod)"
                    + " || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END"
                    + " || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')"
                    + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a"
                    + " ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
                    + " LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum"
                    + " WHERE c.relkind IN ('r', 'p') AND" + OURS,
            "SELECT 'constraint ' || k.conname, replace(pg_get_constraintdef(k.oid, true), ' NOT VALID', '')"
                    + " FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid"
                    + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE k.contype IN ('p', 'u', 'f', 'c') AND"
                    + OURS,
            "SELECT 'index ' || c.relname, pg_get_indexdef(i.indexrelid, 0, true) FROM pg_index i"
                    + " JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE i.indisvalid AND" + OURS,
            "SELECT 'trigger ' || t.tgname || ' on ' || c.relname, pg_get_triggerdef(t.oid, true) FROM pg_trigger t"
                    + " JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE NOT t.tgisinternal AND t.tgenabled = 'O' AND" + OURS,
            "SELECT 'sequence ' || c.relname, format_type(s.seqtypid, NULL) || ' ' || s.seqstart || ' '"
                    + " || s.seqincrement || ' ' || s.seqmin || ' ' || s.seqmax || ' ' || s.seqcache || ' '"
                    + " || s.seqcycle || ' ' || coalesce((SELECT o.relname || '.' || a.attname FROM pg_depend p"
                    + " JOIN pg_class o ON o.oid = p.refobjid JOIN pg_attribute a ON a.attrelid = o.oid"
                    + " AND a.attnum = p.refobjsubid WHERE p.objid = c.oid AND p.deptype = 'a'"
                    + " AND p.classid = 'pg_class'::regclass), 'unowned')"
                    + " FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid"
                    + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE" + OURS,
            "SELECT 'function ' || p.proname || '(' || pg_get_function_arguments(p.oid) || ')',"
                    + " pg_get_function_result(p.oid) || ' ' || l.lanname || ' ' || p.provolatile::text"
                    + " || coalesce(' ' || array_to_string(p.proconfig, ';'), '')"
                    + " FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang"
                    + " JOIN pg_namespace n ON n.oid = p.pronamespace WHERE" + OURS);

    private SchemaContract() {}

    /** Objects of the contract that the database lacks or holds with another definition, sorted. */
    static List<String> missing(DataSource database) {
        try (Connection connection = database.getConnection()) {
            Map<String, String> live = new HashMap<>();
            String schema;
            try (Statement statement = connection.createStatement()) {
                schema = schema(statement);
                for (String query : QUERIES) {
                    read(statement, query, schema, live);
                }
            }
            List<String> missing = new ArrayList<>();
            expected(schema).forEach((name, definition) -> {
                String found = live.get(name);
                if (found == null) {
                    missing.add(name);
                } else if (!found.equals(definition)) {
                    missing.add(name + " (differs)");
                }
            });
            Collections.sort(missing);
            return missing;
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private static String schema(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT current_schema()")) {
            row.next();
            String schema = row.getString(1);
            if (schema == null) {
                throw new SQLException("the search path of the connection names no schema", "3F000");
            }
            return schema;
        }
    }

    private static void read(Statement statement, String query, String schema, Map<String, String> into)
            throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                into.put(rows.getString(1), rows.getString(2).replace(schema + ".qbit_", "qbit_"));
            }
        }
    }

    private static Map<String, String> expected(String schema) {
        JsonNode contract;
        try (InputStream in = SchemaContract.class.getResourceAsStream(CONTRACT)) {
            contract = new ObjectMapper().readTree(in);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        Map<String, String> expected = new HashMap<>();
        for (JsonNode table : contract.path("tables")) {
            table(table, expected);
        }
        for (JsonNode s : contract.path("sequences")) {
            String owner = s.path("owned_by").isNull() ? "unowned" : text(s, "owned_by");
            expected.put(
                    "sequence " + text(s, "name"),
                    String.join(
                            " ",
                            text(s, "type"),
                            text(s, "start"),
                            text(s, "increment"),
                            text(s, "minimum"),
                            text(s, "maximum"),
                            text(s, "cache"),
                            text(s, "cycle"),
                            owner));
        }
        for (JsonNode f : contract.path("functions")) {
            StringBuilder config = new StringBuilder();
            for (JsonNode setting : f.path("config")) {
                config.append(' ').append(setting.asText().replace(" public,", " " + schema + ","));
            }
            expected.put(
                    "function " + text(f, "name") + "(" + text(f, "arguments") + ")",
                    text(f, "returns") + " " + text(f, "language") + " "
                            + text(f, "volatility").charAt(0) + config);
        }
        return expected;
    }

    private static void table(JsonNode table, Map<String, String> expected) {
        String name = text(table, "name");
        for (JsonNode column : table.path("columns")) {
            String value = column.path("default").isNull() ? "" : " default " + text(column, "default");
            expected.put(
                    "column " + name + "." + text(column, "name"),
                    text(column, "type") + (column.path("not_null").asBoolean() ? " not null" : "") + value);
        }
        for (JsonNode constraint : table.path("constraints")) {
            expected.put("constraint " + text(constraint, "name"), text(constraint, "definition"));
        }
        for (JsonNode index : table.path("indexes")) {
            expected.put("index " + text(index, "name"), text(index, "definition"));
        }
        for (JsonNode trigger : table.path("triggers")) {
            expected.put("trigger " + text(trigger, "name") + " on " + name, text(trigger, "definition"));
        }
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText();
    }
}

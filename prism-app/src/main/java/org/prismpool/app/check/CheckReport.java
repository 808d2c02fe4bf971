package org.prismpool.app.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.check.CheckRow.Level;

/**
 * All rows of one check in their order.
 *
 * @param rows the rows
 * @param strict whether a warning counts as a failure
 */
public record CheckReport(List<CheckRow> rows, boolean strict) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Copies the rows. */
    public CheckReport {
        rows = List.copyOf(rows);
    }

    /**
     * Returns the rows with these ids only.
     *
     * @param ids wanted ids, empty for all
     * @return the report of the wanted rows
     */
    public CheckReport only(Set<String> ids) {
        return ids.isEmpty()
                ? this
                : new CheckReport(
                        rows.stream().filter(row -> ids.contains(row.id())).toList(), strict);
    }

    /**
     * Tells whether the answer is yes.
     *
     * @return true if no row fails, and none warns when strict
     */
    public boolean ok() {
        Level worst = strict ? Level.PASS : Level.WARN;
        return rows.stream().allMatch(row -> row.level().compareTo(worst) <= 0);
    }

    /**
     * Renders one line a row, hints below their row.
     *
     * @return the text
     */
    public String text() {
        int width = rows.stream().mapToInt(row -> row.id().length()).max().orElse(1);
        StringBuilder text = new StringBuilder();
        for (CheckRow row : rows) {
            text.append(String.format("%-4s  %-" + width + "s  %s", row.level(), row.id(), row.detail()));
            text.append('\n');
            row.hint()
                    .ifPresent(hint -> text.append("      hint: ").append(hint).append('\n'));
        }
        return text.toString();
    }

    /**
     * Renders the document {@code prism.check.v1}.
     *
     * @return one JSON object
     */
    public String json() {
        List<Map<String, @Nullable Object>> shown = new ArrayList<>();
        for (CheckRow row : rows) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            members.put("status", row.level().name());
            members.put("id", row.id());
            members.put("detail", row.detail());
            members.put("hint", row.hint().orElse(null));
            shown.add(members);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", "prism.check.v1");
        document.put("ok", ok());
        document.put("rows", shown);
        try {
            return JSON.writeValueAsString(document);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("texts and booleans are always JSON", impossible);
        }
    }
}

package org.prismpool.app.check;

import java.util.Optional;

/**
 * One judged fact.
 *
 * @param level verdict
 * @param id stable name that dashboards and scripts match on
 * @param detail what was seen; carries no secret
 * @param hint what to do about it
 */
public record CheckRow(Level level, String id, String detail, Optional<String> hint) {

    /** Verdict of a row; a later constant is worse. */
    public enum Level {
        /** As it should be. */
        PASS,
        /** Works, but somebody should look at it. */
        WARN,
        /** Must be mended. */
        FAIL
    }

    static CheckRow pass(String id, String detail) {
        return new CheckRow(Level.PASS, id, detail, Optional.empty());
    }

    static CheckRow warn(String id, String detail) {
        return new CheckRow(Level.WARN, id, detail, Optional.empty());
    }

    static CheckRow fail(String id, String detail) {
        return new CheckRow(Level.FAIL, id, detail, Optional.empty());
    }

    /** Passes or fails by a condition. */
    static CheckRow judged(boolean good, String id, String detail) {
        return good ? pass(id, detail) : fail(id, detail);
    }

    CheckRow withHint(String what) {
        return new CheckRow(level, id, detail, Optional.of(what));
    }
}

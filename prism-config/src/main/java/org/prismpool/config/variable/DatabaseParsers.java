package org.prismpool.config.variable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.prismpool.config.DatabaseUrl;

/** Parsers of the ledger's database settings. Source: spec 01 §2.6. */
final class DatabaseParsers {

    private static final Set<String> POOLED = Set.of("auto", "1", "true", "yes", "on", "native");
    private static final Set<String> PROCESS = Set.of("0", "false", "no", "off", "psql");

    private DatabaseParsers() {}

    static Parser<DatabaseUrl> url() {
        return new SimpleParser<>(
                "database URL", "postgresql://user:password@host:port/database", DatabaseParsers::dsn);
    }

    /** Takes the DSN out of a psql command line; the command itself is never run. */
    static Parser<DatabaseUrl> psqlCommand() {
        return new SimpleParser<>("command", "a psql command with a postgresql:// argument", text -> {
            List<String> words = shellWords(text);
            for (String word : words) {
                String candidate = word.startsWith("--dbname=") ? word.substring("--dbname=".length()) : word;
                if (candidate.startsWith("postgres://") || candidate.startsWith("postgresql://")) {
                    return dsn(candidate);
                }
            }
            throw ParseProblem.unsupported("contains no postgresql:// DSN; set PRISM_DATABASE_URL instead");
        });
    }

    static Parser<String> nativeClient() {
        return new SimpleParser<>("word", "auto, or a true value; psql is not offered", text -> {
            String word = text.strip().toLowerCase(Locale.ROOT);
            if (POOLED.contains(word)) {
                return word.equals("auto") ? "auto" : "on";
            }
            if (PROCESS.contains(word)) {
                throw ParseProblem.unsupported(
                        "asks for one psql process per statement, which this product does not have;"
                                + " use auto or on");
            }
            throw ParseProblem.malformed("must be auto or a boolean word");
        });
    }

    private static DatabaseUrl dsn(String text) throws ParseProblem {
        Optional<DatabaseUrl> url = DatabaseUrl.parse(text);
        return url.orElseThrow(() -> ParseProblem.malformed(
                "must be a DSN of the form postgresql://user:password@host:port/database (percent-encode special"
                        + " characters)"));
    }

    /** Splits like a POSIX shell: single quotes, double quotes and backslashes. */
    static List<String> shellWords(String text) throws ParseProblem {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote == 0 && Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
                continue;
            }
            inWord = true;
            if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
            } else if (quote != 0 && c == quote) {
                quote = 0;
            } else if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
                word.append(text.charAt(++i));
            } else {
                word.append(c);
            }
        }
        if (quote != 0) {
            throw ParseProblem.malformed("has an unclosed quote");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}

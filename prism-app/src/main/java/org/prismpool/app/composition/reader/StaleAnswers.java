package org.prismpool.app.composition.reader;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.app.publicapi.PublicErrors;
import org.prismpool.app.publicapi.cache.CacheLimits;
import org.prismpool.app.publicapi.serve.AnswerLayer;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Repeats the last answer of a path while the database is away, as long as its budget allows, and says so; after that, and
 * without an earlier answer, refuses. Every answer tells its budget.
 *
 * <p>Thread-safe. The remembered answers are bounded by number and size; the least recently used goes first. Source: spec 08
 * §7.9.
 */
public final class StaleAnswers implements AnswerLayer {

    private static final String WARNING = "110 qbit-prism \"database unavailable; serving cached response\"";
    private static final int SERVER_FAULT = 500;
    private static final int UNAVAILABLE = 503;
    private static final int OK = 200;

    private final DatabaseWatch database;
    private final StalenessBudgets budgets;
    private final CacheLimits limits;
    private final MonotonicClock clock;
    private final Map<Key, Remembered> answers = new LinkedHashMap<>(16, 0.75f, true); // guarded by itself
    private long bytes; // of all bodies, guarded by the answers

    private record Key(List<String> segments, Map<String, List<String>> values) {

        private static Key of(HttpQuery query) {
            return new Key(query.segments(), query.values());
        }
    }

    /** An answer, and when it was computed: before now by the age that it arrived with. */
    private record Remembered(HttpAnswer answer, long computedNanos) {}

    /**
     * Creates an empty memory.
     *
     * @param database whether it may be asked
     * @param budgets how old an answer may be
     * @param limits of what is remembered; a largest body of 0 bytes remembers nothing
     * @param clock of ages
     */
    public StaleAnswers(DatabaseWatch database, StalenessBudgets budgets, CacheLimits limits, MonotonicClock clock) {
        this.database = database;
        this.budgets = budgets;
        this.limits = limits;
        this.clock = clock;
    }

    /** {@inheritDoc} Without a database it answers everything that needs one. */
    @Override
    public HttpEndpoint remembered(HttpEndpoint cache) {
        return HttpEndpoint.fromMemory(query -> {
            Optional<HttpAnswer> known = cache.answer(query);
            Optional<StalenessBudgets.Budget> budget = budgets.of(query.segments());
            if (budget.isEmpty() || known.map(answer -> answer.status() != OK).orElse(false)) {
                return known;
            }
            DatabaseVerdict verdict = database.verdict();
            if (verdict.available() || !budget.get().ofDatabase()) {
                return known.map(answer -> labelled(answer, budget.get()));
            }
            known.ifPresent(answer -> remember(Key.of(query), answer));
            return Optional.of(withoutDatabase(Key.of(query), verdict, budget.get()));
        });
    }

    @Override
    public HttpEndpoint computed(HttpEndpoint reads) {
        return query -> {
            Optional<HttpAnswer> computed = reads.answer(query);
            Optional<StalenessBudgets.Budget> budget = budgets.of(query.segments());
            if (budget.isEmpty() || computed.isEmpty()) {
                return computed;
            }
            HttpAnswer answer = computed.get();
            if (budget.get().ofDatabase() && answer.status() >= SERVER_FAULT) {
                // The fault may be the database's, and the next regular question comes too late for this request.
                DatabaseVerdict verdict = database.confirm();
                if (!verdict.available()) {
                    return Optional.of(withoutDatabase(Key.of(query), verdict, budget.get()));
                }
            }
            if (budget.get().ofDatabase() && answer.status() == OK) {
                remember(Key.of(query), answer);
            }
            return Optional.of(labelled(answer, budget.get()));
        };
    }

    private HttpAnswer withoutDatabase(Key key, DatabaseVerdict verdict, StalenessBudgets.Budget budget) {
        return labelled(repeated(key, verdict, budget.limit()), budget)
                .withHeader("X-Prism-Database-State", "unavailable");
    }

    private HttpAnswer repeated(Key key, DatabaseVerdict verdict, Duration limit) {
        if (verdict.state() == DatabaseVerdict.State.REFUSED) {
            return PublicErrors.of(UNAVAILABLE, "the database behind this service is not current");
        }
        Optional<Remembered> remembered = find(key);
        if (remembered.isEmpty()) {
            return PublicErrors.of(UNAVAILABLE, "the database is not available");
        }
        Duration age = Duration.ofNanos(clock.nanoTime() - remembered.get().computedNanos());
        if (age.compareTo(limit) > 0) {
            forget(key);
            return PublicErrors.of(
                    UNAVAILABLE,
                    "the database is not available, and the last answer is " + age.toSeconds() + " s old, at most "
                            + limit.toSeconds() + " are allowed");
        }
        return remembered
                .get()
                .answer()
                .withHeader("Age", Long.toString(age.toSeconds()))
                .withHeader("Warning", WARNING);
    }

    private static HttpAnswer labelled(HttpAnswer answer, StalenessBudgets.Budget budget) {
        return answer.withHeader(
                "X-Prism-Staleness-Budget-Seconds", Long.toString(budget.limit().toSeconds()));
    }

    private void remember(Key key, HttpAnswer answer) {
        int size = answer.body().length;
        if (limits.responseBytes() == 0 || size > limits.responseBytes() || size > limits.totalBytes()) {
            return;
        }
        long computed = clock.nanoTime() - age(answer).toNanos();
        synchronized (answers) {
            forget(key);
            answers.put(key, new Remembered(answer, computed));
            bytes += size;
            while (answers.size() > limits.entries() || bytes > limits.totalBytes()) {
                forget(answers.keySet().iterator().next());
            }
        }
    }

    private static Duration age(HttpAnswer answer) {
        return Duration.ofSeconds(Long.parseLong(answer.headers().getOrDefault("Age", "0")));
    }

    private Optional<Remembered> find(Key key) {
        synchronized (answers) {
            return Optional.ofNullable(answers.get(key));
        }
    }

    private void forget(Key key) {
        synchronized (answers) {
            Remembered gone = answers.remove(key);
            bytes -= gone == null ? 0 : gone.answer().body().length;
        }
    }
}

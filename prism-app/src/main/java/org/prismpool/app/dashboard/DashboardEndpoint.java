package org.prismpool.app.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;

/**
 * The page at {@code /} and {@code /dashboard} and its scripts, all from this program; the page is painted with the pool summary, so
 * that it shows something without scripts. Thread-safe; may block on the summary. Source: spec 08 §8.4.
 */
public final class DashboardEndpoint implements HttpEndpoint {

    private static final String POLICY = "default-src 'none'; connect-src 'self'; style-src 'self' 'unsafe-inline'; "
            + "script-src 'self'; img-src 'self' data:";
    private static final List<String> SCRIPTS = List.of("page.js", "feed.js", "format.js", "chart.js");
    private static final String PAGE = "dashboard";

    private final FirstPaint paint;
    private final boolean operators;
    private final String page;
    private final Map<String, HttpAnswer> scripts = new HashMap<>(); // not changed after construction

    /**
     * Creates the endpoint.
     *
     * @param paint fills the page
     * @param operators whether health and rejects are shown too, which only the private listener answers
     */
    public DashboardEndpoint(FirstPaint paint, boolean operators) {
        this.paint = paint;
        this.operators = operators;
        this.page = resource("page.html");
        for (String script : SCRIPTS) {
            scripts.put(script, fixed("text/javascript; charset=utf-8", resource(script)));
        }
    }

    @Override
    public Optional<HttpAnswer> answer(HttpQuery query) throws InterruptedException {
        List<String> path = query.segments();
        if (path.isEmpty() || path.equals(List.of(PAGE))) {
            return Optional.of(fixed("text/html; charset=utf-8", paint.on(page, operators)));
        }
        return path.size() == 2 && path.get(0).equals(PAGE)
                ? Optional.ofNullable(scripts.get(path.get(1)))
                : Optional.empty();
    }

    /** Asked for again each time: the page holds numbers, and the scripts fit the page of the same program only. */
    private static HttpAnswer fixed(String type, String text) {
        return HttpAnswer.text(200, type, text)
                .withHeader("Content-Security-Policy", POLICY)
                .withHeader("Cache-Control", "no-cache");
    }

    private static String resource(String name) {
        try (InputStream in = DashboardEndpoint.class.getResourceAsStream("/dashboard/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its page: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

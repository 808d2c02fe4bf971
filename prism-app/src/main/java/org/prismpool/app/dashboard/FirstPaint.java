package org.prismpool.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.prismpool.app.publicapi.PublicBody;

/** Puts the pool summary into the page, as text. Immutable. */
public final class FirstPaint {

    /** The pool summary as the public API gives it. Thread-safe. */
    @FunctionalInterface
    public interface Summary {

        /**
         * Returns the document.
         *
         * @return the document, empty if it cannot be had now
         * @throws InterruptedException if interrupted while waiting for it
         */
        Optional<PublicBody> now() throws InterruptedException;
    }

    private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z0-9]+)}}");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NONE = "–";

    private final Summary summary;
    private final String poolName;

    /**
     * Creates the painter.
     *
     * @param summary the document that is shown
     * @param poolName shown while there is no document
     */
    public FirstPaint(Summary summary, String poolName) {
        this.summary = summary;
        this.poolName = poolName;
    }

    String on(String page, boolean operators) throws InterruptedException {
        Map<String, String> texts = new HashMap<>();
        texts.put("private", Boolean.toString(operators));
        texts.put("name", poolName);
        texts.put("state", "error");
        texts.put("said", "the pool summary cannot be had now");
        Optional<PublicBody> document = summary.now();
        if (document.isPresent()) {
            texts.putAll(texts(document.get()));
        }
        return PLACE.matcher(page)
                .replaceAll(place -> Matcher.quoteReplacement(escaped(texts.getOrDefault(place.group(1), NONE))));
    }

    private static Map<String, String> texts(PublicBody document) {
        JsonNode root;
        try {
            root = JSON.readTree(document.bytes());
        } catch (IOException broken) {
            throw new IllegalStateException("the pool summary is no JSON", broken);
        }
        JsonNode network = root.path("network");
        JsonNode pool = root.path("pool");
        Map<String, String> texts = new HashMap<>();
        texts.put("state", "ok");
        texts.put("said", "as of " + root.path("generated_at").asText());
        texts.put("name", pool.path("name").asText());
        texts.put("h1", Units.rate(pool.at("/hashrate_ths/h1").asText()));
        texts.put("h3", Units.rate(pool.at("/hashrate_ths/h3").asText()));
        texts.put("h24", Units.rate(pool.at("/hashrate_ths/h24").asText()));
        JsonNode eta = pool.path("expected_time_to_block_seconds");
        texts.put("eta", eta.isNumber() ? Units.duration(eta.bigIntegerValue()) : NONE);
        texts.put("participants", Units.grouped(pool.path("participants_3h").asText()));
        texts.put("blocks", Units.grouped(pool.path("blocks_found_total").asText()));
        texts.put("mined", Units.coins(pool.path("total_mined_bits").bigIntegerValue()));
        JsonNode latest = pool.path("latest_block");
        texts.put(
                "latest",
                latest.isObject()
                        ? Units.grouped(latest.path("height").asText()) + ", "
                                + Units.duration(latest.path("age_seconds").bigIntegerValue()) + " ago"
                        : "none yet");
        texts.put("chain", network.path("name").asText());
        texts.put("height", Units.grouped(network.path("height").asText()));
        texts.put(
                "difficulty", Units.shortened(network.path("network_difficulty").asText()));
        texts.put("peers", Units.grouped(network.path("peers").asText()));
        texts.put("tip", network.path("tip_hash").asText());
        JsonNode window = pool.path("reward_window");
        texts.put(
                "window",
                "Reward window: " + window.path("window_multiplier").asText() + " × the network difficulty, "
                        + Units.grouped(window.path("included_share_count").asText()) + " shares");
        return texts;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}

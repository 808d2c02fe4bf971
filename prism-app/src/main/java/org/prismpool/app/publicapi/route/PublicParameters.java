package org.prismpool.app.publicapi.route;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.prismpool.app.http.BadRequestException;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.app.publicapi.query.LeaderboardQuery;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.app.publicapi.query.SeriesBucket;
import org.prismpool.app.publicapi.query.SeriesQuery;
import org.prismpool.app.publicapi.query.SeriesRange;
import org.prismpool.app.publicapi.query.WorkersQuery;

/**
 * The parameters of one public request. What cannot be read throws {@link BadRequestException} with the text of the contract. Source:
 * spec 08 §7.4.
 */
final class PublicParameters {

    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,9}");
    private static final Set<String> YES = Set.of("1", "true", "yes", "on");
    private static final int MAX_SEARCH = 128;
    private static final int MAX_RECIPIENT = 256;
    private static final String MINER = "miner:";

    private final HttpQuery query;

    PublicParameters(HttpQuery query) {
        this.query = query;
    }

    static boolean isHash(String text) {
        return HASH.matcher(text).matches();
    }

    static String hash(String text, String name) {
        if (!isHash(text)) {
            throw new BadRequestException(name + " must be 64 hex characters");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    static String recipient(String text) {
        String recipient = text.strip();
        if (recipient.isEmpty()) {
            throw new BadRequestException("recipient_id is required");
        }
        if (length(recipient) > MAX_RECIPIENT) {
            throw new BadRequestException("recipient_id must be 256 characters or fewer");
        }
        return recipient;
    }

    Page page() {
        Optional<Integer> page = whole("page", 1);
        Optional<Integer> limit = whole("limit", 15);
        if (page.isEmpty() || limit.isEmpty()) {
            throw new BadRequestException("page and limit must be integers");
        }
        if (page.get() < 1) {
            throw new BadRequestException("page must be >= 1");
        }
        if (limit.get() < 1 || limit.get() > Page.MAX_LIMIT) {
            throw new BadRequestException("limit must be between 1 and 100");
        }
        return new Page(page.get(), limit.get());
    }

    /** Nine digits: no list is so long that a later page could hold a row. */
    private Optional<Integer> whole(String name, int otherwise) {
        Optional<String> text = query.parameter(name).map(String::strip);
        return text.isEmpty()
                ? Optional.of(otherwise)
                : text.filter(WHOLE.asMatchPredicate()).map(Integer::valueOf);
    }

    Optional<String> search() {
        Optional<String> search = query.parameter("search").map(String::strip);
        if (search.filter(text -> length(text) > MAX_SEARCH).isPresent()) {
            throw new BadRequestException("search must be 128 characters or fewer");
        }
        return search;
    }

    LeaderboardQuery leaderboard() {
        Page page = page();
        Optional<String> search = search();
        LeaderboardQuery.Window window = choice(
                "window", LeaderboardQuery.Window.THREE_HOURS, LeaderboardQuery.Window.values(), choice -> choice.id());
        Optional<String> recipient = query.parameter("recipient_id");
        if (recipient.isPresent() && window != LeaderboardQuery.Window.REWARD) {
            throw new BadRequestException("recipient_id requires window=reward");
        }
        recipient = recipient.map(PublicParameters::recipient);
        if (recipient.isPresent() && search.isPresent()) {
            throw new BadRequestException("search and recipient_id are mutually exclusive");
        }
        return new LeaderboardQuery(window, page, search, recipient);
    }

    SeriesQuery series() {
        SeriesRange range = choice("range", SeriesRange.MONTH, SeriesRange.values(), SeriesRange::id);
        Optional<String> asked = query.parameter("bucket").filter(text -> !text.equals("auto"));
        SeriesBucket bucket = asked.isEmpty()
                ? range.automatic()
                : Arrays.stream(SeriesBucket.values())
                        .filter(known -> asked.get().equals(known.id()))
                        .findFirst()
                        .orElseThrow(() -> new BadRequestException("bucket must be one of auto, 5m, 1h, 1d"));
        return new SeriesQuery(subject(), range, bucket);
    }

    private Optional<String> subject() {
        String subject = query.parameter("subject").orElse("pool");
        if (subject.equals("pool")) {
            return Optional.empty();
        }
        if (!subject.startsWith(MINER) || subject.substring(MINER.length()).isBlank()) {
            throw new BadRequestException("subject must be pool or miner:{recipient_id}");
        }
        return Optional.of(recipient(subject.substring(MINER.length())));
    }

    WorkersQuery workers(String recipient) {
        boolean hide = query.parameter("hide_inactive")
                .map(text -> YES.contains(text.strip().toLowerCase(Locale.ROOT)))
                .orElse(true);
        return new WorkersQuery(recipient, page(), search(), hide);
    }

    private <T> T choice(String name, T otherwise, T[] choices, Function<T, String> id) {
        Optional<String> text = query.parameter(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        List<String> ids = Arrays.stream(choices).map(id).toList();
        int index = ids.indexOf(text.get());
        if (index < 0) {
            throw new BadRequestException(name + " must be one of " + String.join(", ", ids));
        }
        return choices[index];
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}

package org.prismpool.app.command;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.prismpool.app.composition.PoolView;

/** The numbers of a running pool as the lines of a live view. Stateless. Source: spec 08 §8.3. */
final class PoolScreen {

    private static final int TIP_END = 8;
    private static final double PERCENT = 100.0;

    private PoolScreen() {}

    /**
     * Makes the lines.
     *
     * @param view the numbers
     * @param up how long the pool runs
     * @return lines without line breaks, each below 80 characters
     */
    static List<String> lines(PoolView view, Duration up) {
        return List.of(
                format(
                        "PRISM  %s  h=%d  tip %s   %s   up %s",
                        view.network().name().toLowerCase(Locale.ROOT),
                        Math.max(0, view.height() - 1),
                        view.tip()
                                .map(hash -> ".." + hash.substring(hash.length() - TIP_END))
                                .orElse("-"),
                        state(view),
                        up(up)),
                format(
                        "conn %,d   auth %,d   miners %,d   blocks pending %,d",
                        view.connections(), view.authorized(), view.miners(), view.pendingCandidates()),
                format(
                        "shares/s %.1f   accepted %,d (%,d here)   %s",
                        view.acceptedPerSecond(), view.acceptedShares(), view.acceptedHere(), rejects(view)));
    }

    private static String state(PoolView view) {
        if (view.tip().isEmpty()) {
            return "NO WORK";
        }
        return view.ready() ? "READY" : "COLLECTING";
    }

    private static String rejects(PoolView view) {
        long refused =
                view.refusedHere().values().stream().mapToLong(Long::longValue).sum();
        long submitted = refused + view.acceptedHere();
        if (refused == 0) {
            return "rejects 0%";
        }
        Map.Entry<String, Long> top = view.refusedHere().entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .orElseThrow();
        return format(
                "rejects %.2f%%   top %s %.2f%%",
                PERCENT * refused / submitted, top.getKey(), PERCENT * top.getValue() / submitted);
    }

    private static String up(Duration up) {
        if (up.toDays() > 0) {
            return format("%dd%02dh", up.toDays(), up.toHoursPart());
        }
        return up.toHours() > 0
                ? format("%dh%02dm", up.toHours(), up.toMinutesPart())
                : format("%dm%02ds", up.toMinutes(), up.toSecondsPart());
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}

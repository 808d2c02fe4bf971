package org.prismpool.app.demo;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import org.prismpool.app.composition.PoolView;

/** Prints progress: one line that is redrawn on a terminal, plain lines otherwise. Used by one thread, lines by any. */
final class LiveView {

    private static final int HASH_PREFIX = 12;
    private static final int PLAIN_EVERY = 5;

    private final PrintWriter out;
    private final boolean terminal;
    private boolean statusShown;
    private int ticks;

    /**
     * Creates a view.
     *
     * @param out where to
     * @param terminal whether lines can be redrawn
     */
    LiveView(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Prints a line, or several. */
    synchronized void line(String text) {
        if (statusShown) {
            out.print("\r\u001b[K");
            statusShown = false;
        }
        out.println(text);
        out.flush();
    }

    /** Shows the numbers of this second. */
    synchronized void status(PoolView view, MinerTotals miners, String blocks) {
        String text = text(view, miners, blocks);
        if (terminal) {
            out.print("\r\u001b[K" + text);
            out.flush();
            statusShown = true;
        } else if (ticks++ % PLAIN_EVERY == 0) {
            out.println(text);
            out.flush();
        }
    }

    /** Outside miners do not tell their hashrate or job count, so only the built-in ones are shown with them. */
    static String text(PoolView view, MinerTotals miners, String blocks) {
        String speed = miners.miners() == 0
                ? String.format(Locale.ROOT, "%.2f shares/s", view.acceptedPerSecond())
                : DemoReport.hashrate(miners.hashesPerSecond());
        String work = miners.miners() == 0
                ? ""
                : String.format(Locale.ROOT, "  difficulty %s  jobs %d", miners.difficulty(), miners.jobs());
        return String.format(
                Locale.ROOT,
                "%s  shares %d (%d rejected)%s  tip %d %s  miners %d  blocks %s",
                speed,
                view.acceptedShares(),
                DemoReport.total(view.refusedHere()),
                work,
                Math.max(0, view.height() - 1),
                tip(view.tip()),
                view.authorized(),
                blocks);
    }

    private static String tip(Optional<String> hash) {
        return hash.map(h -> ".." + h.substring(h.length() - HASH_PREFIX)).orElse("-");
    }
}

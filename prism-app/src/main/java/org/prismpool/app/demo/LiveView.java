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
    synchronized void status(PoolView view, MinerTotals miners, int blocks, int wanted) {
        String text = String.format(
                Locale.ROOT,
                "%s  shares %d (%d rejected)  difficulty %s  tip %d %s  jobs %d  miners %d  blocks %d/%d",
                DemoReport.hashrate(miners.hashesPerSecond()),
                view.acceptedShares(),
                miners.rejectedTotal(),
                miners.difficulty(),
                Math.max(0, view.height() - 1),
                tip(view.tip()),
                miners.jobs(),
                view.authorized(),
                blocks,
                wanted);
        if (terminal) {
            out.print("\r\u001b[K" + text);
            out.flush();
            statusShown = true;
        } else if (ticks++ % PLAIN_EVERY == 0) {
            out.println(text);
            out.flush();
        }
    }

    private static String tip(Optional<String> hash) {
        return hash.map(h -> ".." + h.substring(h.length() - HASH_PREFIX)).orElse("-");
    }
}

package org.prismpool.sharewriter.internal;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.prismpool.sharewriter.read.AcceptedWork;
import org.prismpool.sharewriter.read.Leaderboards.RankedMiner;
import org.prismpool.sharewriter.read.Leaderboards.RecentBoard;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.RateWindow;

/** Makes boards of miners that are in order already. */
public final class Boards {

    private Boards() {}

    /**
     * A miner before it is ranked.
     *
     * @param recipientId miner
     * @param work its work
     * @param lastShareAt its newest share
     */
    public record Contender(String recipientId, AcceptedWork work, Instant lastShareAt) {}

    /**
     * Ranks miners.
     *
     * @param ordered all of them, best first
     * @param blocksFound blocks per recipient
     * @param endedAt end of the window
     * @param page page of the board
     * @return the board
     */
    public static RecentBoard recent(
            List<Contender> ordered, Map<String, Long> blocksFound, Instant endedAt, PageRequest page) {
        BigInteger total = BigInteger.ZERO;
        for (Contender contender : ordered) {
            total = total.add(contender.work().difficulty());
        }
        Paged<Contender> cut = Pages.cut(ordered, page);
        List<RankedMiner> rows = new ArrayList<>();
        for (Contender contender : cut.rows()) {
            rows.add(new RankedMiner(
                    page.offset() + rows.size() + 1,
                    contender.recipientId(),
                    contender.work(),
                    blocksFound.getOrDefault(contender.recipientId(), 0L),
                    contender.lastShareAt()));
        }
        Instant startedAt = endedAt.minus(RateWindow.H3.length());
        return new RecentBoard(startedAt, endedAt, total, cut.totalCount(), rows);
    }
}

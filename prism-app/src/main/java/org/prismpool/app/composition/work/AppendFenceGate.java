package org.prismpool.app.composition.work;

import java.util.List;
import org.prismpool.payout.state.AppendFence;
import org.prismpool.payout.state.AppendTicket;
import org.prismpool.payout.state.RowStamp;
import org.prismpool.sharewriter.CommitGate;
import org.prismpool.sharewriter.PendingShare;

/** Takes every commit of shares through the append fence, so that no live window silently misses a durable row. */
public final class AppendFenceGate implements CommitGate {

    private final AppendFence fence;

    public AppendFenceGate(AppendFence fence) {
        this.fence = fence;
    }

    @Override
    public Passage enter(List<PendingShare> shares) {
        List<RowStamp> stamps = shares.stream()
                .map(share -> new RowStamp(share.jobIssuedAtMs(), share.acceptedAtMs()))
                .toList();
        try {
            return new Fenced(fence.begin(stamps));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the commit", stopping);
        }
    }

    /** One commit inside the fence. */
    private record Fenced(AppendTicket ticket) implements Passage {
        @Override
        public void committed(List<PendingShare> shares) {
            ticket.committed();
        }

        @Override
        public void close() {
            ticket.close();
        }
    }
}

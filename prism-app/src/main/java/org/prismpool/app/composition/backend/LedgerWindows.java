package org.prismpool.app.composition.backend;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.MissingShares;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.WindowShare;
import org.prismpool.payout.window.WindowSource;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.window.WindowReader;

/** Reads reward windows from the ledger. Thread-safe: every read has an identity pool of its own. */
public final class LedgerWindows implements WindowSource {

    private final WindowReader reader;

    public LedgerWindows(WindowReader reader) {
        this.reader = reader;
    }

    @Override
    public List<WindowShare> newest(long anchorMs, U128 weight, Deadline deadline) {
        return shares(reader.snapshot(anchorMs, weight.toBigInteger(), deadline));
    }

    @Override
    public List<WindowShare> becameEligible(long afterMs, long anchorMs, Deadline deadline) {
        return shares(reader.delta(afterMs, anchorMs, deadline));
    }

    /**
     * Shares by sequence, for audit files that lack some.
     *
     * @param reader of the ledger
     * @param limit of one read
     * @param clock of the limit
     * @return the port; thread-safe, blocks on the ledger
     */
    static MissingShares missing(WindowReader reader, Duration limit, MonotonicClock clock) {
        return (first, last) -> shares(reader.range(first, last, Deadline.after(limit, clock, "audit-shares")));
    }

    private static List<WindowShare> shares(List<StoredShare> rows) {
        IdentityPool identities = new IdentityPool();
        Map<P2mrProgram, String> programs = new HashMap<>();
        return rows.stream().map(row -> share(row, identities, programs)).toList();
    }

    private static WindowShare share(StoredShare row, IdentityPool identities, Map<P2mrProgram, String> programs) {
        PendingShare share = row.share();
        return new WindowShare(
                row.shareSeq(),
                share.shareId(),
                identities.identity(
                        share.minerId(), share.orderKey(), programs.computeIfAbsent(share.program(), P2mrProgram::hex)),
                U128.of(share.shareDifficulty()),
                U128.of(share.networkDifficulty()),
                share.templateHeight(),
                share.jobId(),
                share.jobIssuedAtMs(),
                share.acceptedAtMs(),
                share.ntime(),
                share.creditPolicy().text());
    }
}

package org.prismpool.app.composition.block;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.prismpool.app.metrics.ShareCounters;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.spool.RecoveryJournal;

/**
 * Brings the shares of an older release's recovery journal into the ledger, before anything is served: no window has an anchor
 * yet that they could fall below. Stateless.
 */
public final class JournalReplay {

    private JournalReplay() {}

    /**
     * Replays the journal, if there is one.
     *
     * @param file the journal
     * @param ledger where its shares go
     * @param writes keeps the lease while a share is written
     * @param metrics counts what happened
     * @param progress told in words if there was something to do
     * @return what happened
     */
    public static RecoveryJournal.Replay run(
            Path file, Ledger ledger, BarrierWrites writes, ShareCounters metrics, Consumer<String> progress) {
        RecoveryJournal.Replay replay =
                new RecoveryJournal(file).replay(share -> writes.call(() -> append(ledger, share)));
        metrics.replayed(replay.replayed(), replay.conflicts());
        if (replay.replayed() + replay.existing() + replay.conflicts() + replay.unreadable() > 0) {
            progress.accept("share journal: " + replay.replayed() + " replayed, " + replay.existing()
                    + " durable before, " + replay.conflicts() + " in conflict, " + replay.unreadable() + " unreadable"
                    + (replay.complete() ? "" : "; the file is kept: " + file));
        }
        return replay;
    }

    private static AppendResult append(Ledger ledger, PendingShare share) {
        return ledger.shares().append(List.of(AppendEntry.share(share))).get(0);
    }
}

package org.prismpool.sharewriter.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.AppendResult.FailureReason;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.LedgerRefusedException;
import org.prismpool.sharewriter.LedgerUnavailableException;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.ShareWriterEvents;
import org.prismpool.sharewriter.ShareWriterMetrics;
import org.prismpool.sharewriter.WriterFencedException;

/**
 * Brings one batch to a definite outcome: repeats it while the outcome is unknown, since an exact replay is harmless.
 *
 * <p>Confined to the writer thread.
 */
final class BatchCommit {

    /** Text before the reason in every answer to a miner (contract). */
    static final String FAILED = "share ledger commit failed: ";

    private final ShareLedger ledger;
    private final ShareWriterEvents events;
    private final ShareWriterMetrics metrics;
    private final Backoff backoff;
    private final BooleanSupplier givenUp;

    /** Waits between repetitions. */
    @FunctionalInterface
    interface Backoff {
        /** Waits before repetition {@code attempt}, from 1; returns early when the writer is told to give up. */
        void pause(int attempt);
    }

    BatchCommit(
            ShareLedger ledger,
            ShareWriterEvents events,
            ShareWriterMetrics metrics,
            Backoff backoff,
            BooleanSupplier givenUp) {
        this.ledger = ledger;
        this.events = events;
        this.metrics = metrics;
        this.backoff = backoff;
        this.givenUp = givenUp;
    }

    /** Results in the order of the batch; {@code fenced} if the lease is lost. */
    record Outcome(List<AppendResult> results, boolean fenced) {}

    Outcome run(List<AppendEntry> batch) {
        boolean unknown = false;
        for (int attempt = 1; ; attempt++) {
            events.beat();
            try {
                List<AppendResult> results = ledger.append(batch);
                if (attempt > 1) {
                    events.recovered();
                }
                return new Outcome(unknown ? asNew(results) : results, false);
            } catch (WriterFencedException fenced) {
                return new Outcome(failAll(batch, FailureReason.FENCED, fenced), true);
            } catch (LedgerRefusedException refused) {
                return refused(batch, refused);
            } catch (LedgerUnavailableException lost) {
                unknown = true;
                if (repeat(lost, attempt)) {
                    return new Outcome(failAll(batch, FailureReason.COMMIT_FAILED, lost), false);
                }
            } catch (LedgerDeadlineException late) {
                if (repeat(late, attempt)) {
                    return new Outcome(failAll(batch, FailureReason.COMMIT_FAILED, late), false);
                }
            }
        }
    }

    /** Returns true if the writer has to give the batch up. */
    private boolean repeat(LedgerException cause, int attempt) {
        events.degraded(String.valueOf(cause.getMessage()), attempt);
        metrics.commitRepeated();
        if (givenUp.getAsBoolean()) {
            return true;
        }
        backoff.pause(attempt);
        return givenUp.getAsBoolean();
    }

    /** One entry that the database refuses must not take its neighbours along: halves are tried on their own. */
    private Outcome refused(List<AppendEntry> batch, LedgerRefusedException refused) {
        if (batch.size() == 1 || !refused.dataError()) {
            return new Outcome(failAll(batch, FailureReason.COMMIT_FAILED, refused), false);
        }
        int middle = batch.size() / 2;
        Outcome first = run(batch.subList(0, middle));
        if (first.fenced()) {
            List<AppendResult> all = new ArrayList<>(first.results());
            all.addAll(failAll(batch.subList(middle, batch.size()), FailureReason.FENCED, refused));
            return new Outcome(all, true);
        }
        Outcome second = run(batch.subList(middle, batch.size()));
        List<AppendResult> all = new ArrayList<>(first.results());
        all.addAll(second.results());
        return new Outcome(all, second.fenced());
    }

    /** After an attempt with unknown outcome a replay is most likely that attempt: the miner's work counts. */
    private static List<AppendResult> asNew(List<AppendResult> results) {
        List<AppendResult> counted = new ArrayList<>(results.size());
        for (AppendResult result : results) {
            Optional<AppendResult.Replayed> replayed =
                    result.fold(n -> Optional.empty(), Optional::of, c -> Optional.empty(), f -> Optional.empty());
            counted.add(
                    replayed.<AppendResult>map(replay -> new AppendResult.New(replay.shareSeq(), replay.candidate()))
                            .orElse(result));
        }
        return counted;
    }

    private static List<AppendResult> failAll(List<AppendEntry> batch, FailureReason reason, LedgerException cause) {
        AppendResult failed = new AppendResult.Failed(reason, FAILED + cause.getMessage());
        return batch.stream().map(entry -> failed).toList();
    }
}

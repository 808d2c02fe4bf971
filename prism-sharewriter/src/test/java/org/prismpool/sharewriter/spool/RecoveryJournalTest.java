package org.prismpool.sharewriter.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.memory.MemoryLedger;
import org.prismpool.sharewriter.spool.RecoveryJournal.Replay;

class RecoveryJournalTest {

    @TempDir
    private Path directory;

    private final ShareLedger ledger = new MemoryLedger(System::currentTimeMillis).shares();
    private final List<String> order = new ArrayList<>();

    private AppendResult append(PendingShare share) {
        order.add(share.shareId());
        return ledger.append(List.of(AppendEntry.share(share))).get(0);
    }

    private static String line(String id, long acceptedAtMs, long ntime) {
        return "{\"share_id\":\"" + id + "\",\"miner_id\":\"m\",\"order_key\":\"m\",\"p2mr_program_hex\":\""
                + Samples.hash(1) + "\",\"share_difficulty\":5,\"network_difficulty\":7,\"template_height\":1,"
                + "\"job_id\":\"j\",\"job_issued_at_ms\":1,\"accepted_at_ms\":" + acceptedAtMs + ",\"ntime\":" + ntime
                + ",\"credit_policy\":null}";
    }

    private Path journal(String... lines) throws IOException {
        Path file = directory.resolve("prism-unpersisted-shares.jsonl");
        Files.writeString(file, String.join("\n", lines));
        return file;
    }

    @Test
    void sharesAreAppendedByAcceptanceAndACleanFileIsDeleted() throws IOException {
        Path file = journal(line("b", 20, 1), line("a", 10, 1), line("b", 20, 1));

        assertThat(new RecoveryJournal(file).replay(this::append)).isEqualTo(new Replay(2, 1, 0, 0, true));

        assertThat(order).containsExactly("a", "b", "b");
        assertThat(file).doesNotExist();
        assertThat(new RecoveryJournal(file).replay(this::append)).isEqualTo(new Replay(0, 0, 0, 0, true));
    }

    @Test
    void aTornLastLineKeepsTheFileButNotTheOthersBack() throws IOException {
        Path file = journal(line("a", 10, 1), line("b", 20, 1).substring(0, 40));

        assertThat(new RecoveryJournal(file).replay(this::append)).isEqualTo(new Replay(1, 0, 0, 1, false));
        assertThat(file).exists();
    }

    @Test
    void aConflictIsCountedAndLaterRowsStillCount() throws IOException {
        Path file = journal(line("a", 10, 1), line("a", 11, 2), line("c", 12, 1));

        assertThat(new RecoveryJournal(file).replay(this::append)).isEqualTo(new Replay(2, 0, 1, 0, false));
        assertThat(file).exists();
    }

    @Test
    void anyOtherFailureStopsThePassAndKeepsTheFile() throws IOException {
        Path file = journal(line("a", 10, 1), line("b", 20, 1));
        AppendResult failed = new AppendResult.Failed(AppendResult.FailureReason.COMMIT_FAILED, "x");
        List<String> tried = new ArrayList<>();

        Replay replay = new RecoveryJournal(file).replay(share -> {
            tried.add(share.shareId());
            return failed;
        });

        assertThat(replay).isEqualTo(new Replay(0, 0, 0, 0, false));
        assertThat(tried).containsExactly("a");
    }
}

package org.prismpool.sharewriter.internal;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.intent;
import static org.prismpool.sharewriter.contract.Samples.share;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.AppendEntry;

class CommitQueueTest {

    private static final long FOREVER = TimeUnit.HOURS.toNanos(1);

    private final CommitQueue queue = new CommitQueue(4096, 0);

    private static QueuedEntry queued(AppendEntry entry) {
        return new QueuedEntry(entry, Long.MAX_VALUE, new CompletableFuture<>());
    }

    private static QueuedEntry ordinary(String id) {
        return queued(AppendEntry.share(share(id, 1)));
    }

    private static QueuedEntry solve() {
        return queued(AppendEntry.solve(share("w:" + hash(0xab), 1), intent(0xab, "x")));
    }

    private CompletableFuture<Integer> gathered(int enough) {
        return supplyAsync(() -> {
            try {
                queue.awaitGrowth(enough, FOREVER);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            return queue.queued();
        });
    }

    @Test
    void aSolveThatIsThereEndsTheWaitForMore() throws Exception {
        queue.offer(ordinary("a"));
        queue.offer(solve());

        assertThat(gathered(1000).get(20, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void aSolveThatComesEndsTheWaitForMore() throws Exception {
        queue.offer(ordinary("a"));
        CompletableFuture<Integer> gathered = gathered(1000);
        queue.offer(solve());

        assertThat(gathered.get(20, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void enoughEntriesEndTheWaitAndAFullQueueRefuses() throws Exception {
        CompletableFuture<Integer> gathered = gathered(4096);
        for (int i = 0; i < 4096; i++) {
            assertThat(queue.offer(ordinary("s" + i))).isEqualTo(CommitQueue.Admission.QUEUED);
        }

        assertThat(gathered.get(20, TimeUnit.SECONDS)).isEqualTo(4096);
        assertThat(queue.offer(ordinary("late"))).isEqualTo(CommitQueue.Admission.REFUSED);
        assertThat(queue.take(1024)).hasSize(1024);
        assertThat(queue.offer(ordinary("late")))
                .as("entries in flight keep their slots until they are answered")
                .isEqualTo(CommitQueue.Admission.REFUSED);
    }
}

package org.prismpool.app.publicapi;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.prismpool.app.publicapi.query.LeaderboardQuery;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.app.publicapi.query.SeriesQuery;
import org.prismpool.app.publicapi.query.WorkersQuery;
import org.prismpool.lifecycle.time.Deadline;

/** Models that write down what they are asked and give one answer to everything. */
public final class AskedModels implements PoolModels, BlockModels, MinerModels {

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicReference<Supplier<PublicBody>> answer =
            new AtomicReference<>(() -> PublicBody.document(Map.of("schema", "test")));

    /** Everything as one. */
    public PublicModels all() {
        return new PublicModels(this, this, this);
    }

    /** What was asked so far, in order. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** Answers like this from now on. */
    public void answerWith(Supplier<PublicBody> next) {
        answer.set(next);
    }

    private PublicBody answer(String question) {
        asked.add(question);
        return answer.get().get();
    }

    @Override
    public PublicBody summary(Deadline deadline) {
        return answer("summary");
    }

    @Override
    public PublicBody hashrateSeries(SeriesQuery query, Deadline deadline) {
        return answer("series " + query.miner().orElse("pool") + " "
                + query.range().id() + " " + query.bucket().id());
    }

    @Override
    public PublicBody leaderboard(LeaderboardQuery query, Deadline deadline) {
        return answer("leaderboard " + query.window().id() + " " + text(query.page()) + " search="
                + query.search().orElse("") + " recipient=" + query.recipient().orElse(""));
    }

    @Override
    public PublicBody blocks(Page page, Deadline deadline) {
        return answer("blocks " + text(page));
    }

    @Override
    public PublicBody settlementArtifacts(String blockHash, Deadline deadline) {
        return answer("settlement " + blockHash);
    }

    @Override
    public PublicBody artifact(String sha256, Deadline deadline) {
        return answer("artifact " + sha256);
    }

    @Override
    public PublicBody pendingFanouts(Page page, Deadline deadline) {
        return answer("pending " + text(page));
    }

    @Override
    public PublicBody fanout(String txid, Deadline deadline) {
        return answer("fanout " + txid);
    }

    @Override
    public PublicBody miner(String recipient, Deadline deadline) {
        return answer("miner " + recipient);
    }

    @Override
    public PublicBody earnings(String recipient, Page page, Deadline deadline) {
        return answer("earnings " + recipient + " " + text(page));
    }

    @Override
    public PublicBody payouts(String recipient, Page page, Deadline deadline) {
        return answer("payouts " + recipient + " " + text(page));
    }

    @Override
    public PublicBody workers(WorkersQuery query, Deadline deadline) {
        return answer("workers " + query.recipient() + " " + text(query.page()) + " search="
                + query.search().orElse("") + " hide=" + query.hideInactive());
    }

    private static String text(Page page) {
        return page.number() + "/" + page.limit();
    }
}

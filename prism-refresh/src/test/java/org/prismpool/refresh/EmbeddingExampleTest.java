package org.prismpool.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/** The example of the README: a pool whose templates and bundles are plain strings. */
class EmbeddingExampleTest {

    private static final Hash256 FIRST = Hash256.ofInternalHex("11".repeat(32));
    private static final Hash256 SECOND = Hash256.ofInternalHex("22".repeat(32));

    private volatile Hash256 best = FIRST;
    private final List<String> delivered = new CopyOnWriteArrayList<>();

    @Test
    void everyNewTipIsBuiltPublishedAndDelivered() {
        // example:start
        RefreshPorts<String, String> ports =
                new RefreshPorts<>(new Node(), new Templates(), new Builder(), new Payout(), new Clients());
        try (TipRefresher<String, String> refresher =
                TipRefresher.create(RefreshConfig.defaults(), ports, RefreshCompanions.none())) {
            refresher.prewarm(); // the first work is there before the first miner
            refresher.start(); // from here on every new tip is followed

            best = SECOND; // the node finds a block

            await().atMost(Duration.ofSeconds(10)).until(() -> delivered.contains("bundle on " + SECOND));
            assertThat(refresher.standing().authoritative()).isTrue();
            assertThat(refresher.status().phase()).isNotNull(); // for the health page
        }
        // example:end
    }

    private final class Node implements ChainTip {
        @Override
        public Hash256 bestHash(Deadline deadline) {
            return best;
        }

        @Override
        public Hash256 parentOf(Hash256 tip, Deadline deadline) {
            return FIRST;
        }

        @Override
        public ChainTrust trust(Deadline deadline) {
            return ChainTrust.yes();
        }

        @Override
        public WaitAnswer awaitChange(Hash256 known, Duration serverWait, Deadline deadline) {
            return new Tip(best);
        }
    }

    private static final class Templates implements TemplateFeed<String> {
        private long generation;

        @Override
        public Answer<String> coherent(Hash256 observedBest, Deadline deadline) {
            String template = "template on " + observedBest;
            return new Coherent<>(new TemplateSnapshot<>(observedBest, template, ++generation, template), false);
        }
    }

    private static final class Builder implements WorkBuilder<String, String> {
        @Override
        public Reservation reserve(long requestedAtNanos) {
            return () -> {};
        }

        @Override
        public CompletableFuture<BuildAnswer<String, String>> ready(BuildCall<String> call) {
            TemplateSnapshot<String> snapshot = call.snapshot();
            WorkIdentity identity = new WorkIdentity(
                    snapshot.parent(),
                    snapshot.fingerprint(),
                    snapshot.generation(),
                    call.payoutGeneration(),
                    "balances",
                    0,
                    WorkMode.READY);
            return CompletableFuture.completedFuture(
                    new Built<>(new BuiltWork<>(identity, snapshot.template(), "bundle on " + snapshot.parent())));
        }

        @Override
        public CompletableFuture<BuildAnswer<String, String>> collection(BuildCall<String> call, long connectionId) {
            return ready(call);
        }

        @Override
        public void cancelObsolete(Predicate<Hash256> wanted, String reason) {
            // builds end at once
        }
    }

    private static final class Payout implements PublicationGate {
        @Override
        public PayoutAuthority current() {
            return new PayoutAuthority(1, Optional.of("balances"), 0, false);
        }

        @Override
        public <R> Admission<R> admit(long generation, Deadline deadline, Function<PayoutAuthority, R> section) {
            return new Admitted<>(section.apply(current()));
        }

        @Override
        public void tipDetected(DetectedTip tip) {
            // balances do not depend on the tip here
        }
    }

    private final class Clients implements Fanout<String, String> {
        @Override
        public List<FanoutTarget> select(TargetQuery query) {
            boolean needs = !delivered.contains("bundle on " + query.snapshot().parent());
            return List.of(new FanoutTarget(1, Optional.empty(), needs));
        }

        @Override
        public FanoutReport deliver(FanoutOrder<String, String> order) {
            order.items().forEach(item -> delivered.add(item.work().work()));
            return FanoutReport.nobody();
        }
    }

    @Test
    void theReadmeShowsExactlyThis() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        int from = readme.indexOf("```java\n") + "```java\n".length();
        String shown = readme.substring(from, readme.indexOf("\n```", from));
        String source = Files.readString(Path.of("src/test/java/org/prismpool/refresh/EmbeddingExampleTest.java"));

        assertThat(onOneLine(source)).contains(onOneLine(shown));
    }

    private static String onOneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}

package org.prismpool.templates;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.VersionLayout;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the current template: fetches it coherently, orders observations by the start of their fetch, and derives the
 * transactions of one template once.
 *
 * <p>Thread-safe without a lock: the stored observation is one immutable object in an atomic reference, replaced only
 * by a later generation. Has no thread of its own and needs no closing.
 */
public final class TemplateRepository {

    private static final Logger LOG = LoggerFactory.getLogger(TemplateRepository.class);

    private final Config config;
    private final NodeRpc node;
    private final MonotonicClock clock;
    private final TemplateMetrics metrics;
    private final TemplateReader reader;
    private final AtomicLong generations = new AtomicLong();
    private final AtomicReference<@Nullable TemplateObservation> stored = new AtomicReference<>();
    private final AtomicBoolean maskedVersionLogged = new AtomicBoolean();

    /**
     * Settings of the repository.
     *
     * @param network network of the node
     * @param reuseFor how long a stored template answers for a fetch on an unmoved tip; zero switches this off
     * @param versionRollingMask bits that miners may roll; a template that sets some of them gets them cleared
     */
    public record Config(Network network, Duration reuseFor, int versionRollingMask) {

        /** Usual value of {@link #reuseFor()}. */
        public static final Duration DEFAULT_REUSE = Duration.ofSeconds(2);

        /** Checks the range. */
        public Config {
            if (reuseFor.isNegative()) {
                throw new IllegalArgumentException("a template is reused for zero seconds or more");
            }
        }
    }

    /**
     * Creates an empty repository.
     *
     * @param config settings
     * @param node the node; called on the threads of callers
     * @param clock clock for ages
     * @param metrics counters
     */
    public TemplateRepository(Config config, NodeRpc node, MonotonicClock clock, TemplateMetrics metrics) {
        this.config = config;
        this.node = Objects.requireNonNull(node, "node");
        this.clock = clock;
        this.metrics = metrics;
        this.reader = new TemplateReader(config.network(), config.versionRollingMask());
    }

    /**
     * Fetches a template and checks that it extends the node's tip. Blocks until the node has answered both questions.
     *
     * @param deadline latest end of both calls together
     * @param cancel ends the calls early
     * @return what became of it
     */
    public TemplateOutcome fetch(Deadline deadline, CancelSignal cancel) {
        long generation = generations.incrementAndGet();
        long startedNanos = clock.nanoTime();
        NodeRpc call = node.cancelledBy(cancel);
        try {
            JsonNode json = call.getBlockTemplate(config.network().templateRules(), deadline);
            Hash256 parent = TemplateReader.parent(json);
            Hash256 best = call.getBestBlockHash(deadline);
            if (!best.equals(parent)) {
                metrics.templateSuperseded();
                return new TemplateOutcome.Superseded(best);
            }
            return store(derive(generation, startedNanos, json));
        } catch (TemplateRefusedException e) {
            metrics.templateBlocked();
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("template refused");
            return new TemplateOutcome.Blocked(String.valueOf(e.getMessage()));
        } catch (RpcException e) {
            return new TemplateOutcome.Unavailable(e.failure());
        }
    }

    private TemplateObservation derive(long generation, long startedNanos, JsonNode json) {
        TemplateFingerprint fingerprint = TemplateFingerprint.of(json);
        Optional<BlockTemplate> known = current()
                .filter(observation -> observation.fingerprint().equals(fingerprint))
                .map(TemplateObservation::template);
        BlockTemplate template = reader.read(json, known);
        requireSameHeight(template);
        logMaskedVersion(json);
        metrics.templateStored(
                clock.nanoTime() - startedNanos, template.transactions().count(), known.isPresent());
        return new TemplateObservation(generation, fingerprint, template, startedNanos);
    }

    /** One parent has one height: another one means that the answer is not about the tip that it names. */
    private void requireSameHeight(BlockTemplate template) {
        Optional<TemplateObservation> sameParent = current()
                .filter(observation ->
                        observation.parent().equals(template.terms().parent()));
        if (sameParent.isPresent()
                && sameParent.get().template().terms().height()
                        != template.terms().height()) {
            throw new TemplateRefusedException("height differs from an earlier template on the same parent");
        }
    }

    private TemplateOutcome store(TemplateObservation observation) {
        stored.accumulateAndGet(observation, TemplateRepository::later);
        TemplateObservation current = current().orElse(observation);
        if (current.generation() != observation.generation()) {
            metrics.templateOvertaken();
        }
        return new TemplateOutcome.Fetched(observation, current);
    }

    private static @Nullable TemplateObservation later(
            @Nullable TemplateObservation before, @Nullable TemplateObservation offered) {
        if (before == null || offered == null) {
            return offered;
        }
        return before.generation() > offered.generation() ? before : offered;
    }

    private void logMaskedVersion(JsonNode json) {
        int version = (int) json.path("version").asLong();
        if ((version & config.versionRollingMask()) != 0 && maskedVersionLogged.compareAndSet(false, true)) {
            LOG.atWarn()
                    .addKeyValue("version", VersionLayout.hex(version))
                    .log("template version sets bits that miners may roll; they are cleared");
        }
    }

    /**
     * Returns the stored template if it still serves for a tip.
     *
     * @param bestBlock newest observed tip
     * @return the observation, or empty if it is too old, extends another block, or reuse is off
     */
    public Optional<TemplateObservation> reusable(Hash256 bestBlock) {
        Optional<TemplateObservation> fitting = current()
                .filter(observation -> observation.parent().equals(bestBlock))
                .filter(observation -> age(observation).compareTo(config.reuseFor()) < 0);
        fitting.ifPresent(observation -> metrics.templateReused());
        return fitting;
    }

    /**
     * Returns the age of an observation.
     *
     * @param observation an observation of this repository
     * @return time since its fetch started
     */
    public Duration age(TemplateObservation observation) {
        return Duration.ofNanos(clock.nanoTime() - observation.fetchedNanos());
    }

    /**
     * Returns the stored template.
     *
     * @return the observation with the largest generation, or empty before the first
     */
    public Optional<TemplateObservation> current() {
        return Optional.ofNullable(stored.get());
    }
}

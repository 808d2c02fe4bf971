package org.prismpool.app.composition.work;

import java.io.IOException;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.TemplateFeed;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.TemplateOutcome;
import org.prismpool.templates.TemplateRepository;
import org.prismpool.templates.chain.Hash256;

/** Feeds the refresher with coherent templates from the repository. */
public final class Templates implements TemplateFeed<TemplateObservation> {

    private final TemplateRepository repository;
    private final CancelSignal stopping;

    public Templates(TemplateRepository repository, CancelSignal stopping) {
        this.repository = repository;
        this.stopping = stopping;
    }

    @Override
    public Answer<TemplateObservation> coherent(Hash256 observedBest, Deadline deadline) throws IOException {
        Optional<TemplateObservation> cached = repository.reusable(observedBest);
        if (cached.isPresent()) {
            return new Coherent<>(snapshot(cached.get()), true);
        }
        TemplateOutcome outcome = repository.fetch(deadline, stopping);
        if (outcome instanceof TemplateOutcome.Fetched fetched) {
            return new Coherent<>(snapshot(fetched.current()), false);
        }
        if (outcome instanceof TemplateOutcome.Superseded superseded) {
            return new Diverged<>(superseded.newTip());
        }
        if (outcome instanceof TemplateOutcome.Blocked blocked) {
            return new Unusable<>(blocked.reason());
        }
        throw new IOException(((TemplateOutcome.Unavailable) outcome).failure().message());
    }

    static TemplateSnapshot<TemplateObservation> snapshot(TemplateObservation observation) {
        return new TemplateSnapshot<>(
                observation.parent(), observation.fingerprint().hex(), observation.generation(), observation);
    }
}

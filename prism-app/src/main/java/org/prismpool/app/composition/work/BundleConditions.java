package org.prismpool.app.composition.work;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.prismpool.bundle.WorkConditions;
import org.prismpool.refresh.PublishedWork;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.TemplateRepository;
import org.prismpool.templates.chain.Hash256;

/** What the bundle service may build and keep, from the refresher's authority and the template repository; memory only. */
public final class BundleConditions implements WorkConditions {

    private final Later<TipRefresher<TemplateObservation, PoolWork>> refresher;
    private final TemplateRepository templates;
    private final BooleanSupplier ready;

    public BundleConditions(
            Later<TipRefresher<TemplateObservation, PoolWork>> refresher,
            TemplateRepository templates,
            BooleanSupplier ready) {
        this.refresher = refresher;
        this.templates = templates;
        this.ready = ready;
    }

    @Override
    public boolean poolReady() {
        return ready.getAsBoolean();
    }

    @Override
    public boolean tipUnpublished() {
        return refresher.get().authority().diverged();
    }

    @Override
    public boolean buildable(TemplateObservation template) {
        WorkAuthority<TemplateObservation, PoolWork> authority = refresher.get().authority();
        Optional<Hash256> newest = authority.newestKnownTip();
        if (newest.isEmpty() || newest.get().equals(template.parent())) {
            return true;
        }
        return refresher.get().standing().authoritative() && isPublished(authority, template);
    }

    @Override
    public boolean storable(TemplateObservation template, boolean sameGeneration) {
        boolean current = templates
                .current()
                .map(now -> now.parent().equals(template.parent())
                        && now.fingerprint().equals(template.fingerprint())
                        && (!sameGeneration || now.generation() == template.generation()))
                .orElse(false);
        return current || isPublished(refresher.get().authority(), template);
    }

    private static boolean isPublished(
            WorkAuthority<TemplateObservation, PoolWork> authority, TemplateObservation template) {
        return authority
                .work()
                .map(PublishedWork::snapshot)
                .map(snapshot -> snapshot.parent().equals(template.parent())
                        && snapshot.fingerprint().equals(template.fingerprint().hex()))
                .orElse(false);
    }
}

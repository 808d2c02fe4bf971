package org.prismpool.payout.audit;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes old envelopes and abandoned candidates (payout specification 15.6). Bodies and segments are never touched. */
final class Retention {

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private final OwnedDirectory directory;
    private final CandidateFiles candidates;
    private final AuditStoreConfig config;
    private final Clock clock;

    Retention(OwnedDirectory directory, CandidateFiles candidates, AuditStoreConfig config, Clock clock) {
        this.directory = directory;
        this.candidates = candidates;
        this.config = config;
        this.clock = clock;
    }

    private record Found(ArtifactName name, OwnedDirectory.Stamp stamp) {}

    /** Prunes after a publication; a failure is logged and never undoes the publication. */
    void prune(String currentEnvelope) {
        try {
            pruneEnvelopes(currentEnvelope);
            pruneCandidates();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("audit store could not be pruned");
        }
    }

    private void pruneEnvelopes(String current) throws IOException {
        List<Found> others = new ArrayList<>();
        for (Found each : find(ArtifactName.Kind.LIVE_BUNDLE)) {
            if (!each.name().name().equals(current)) {
                others.add(each);
            }
        }
        others.sort(Comparator.comparing((Found each) -> each.stamp().modified())
                .thenComparing((a, b) ->
                        Long.compareUnsigned(a.name().height(), b.name().height()))
                .thenComparing(each -> each.name().name())
                .reversed());
        int kept = Math.max(0, config.liveBundleRetention() - 1);
        for (int i = kept; i < others.size(); i++) {
            directory.deleteIfUnchanged(
                    others.get(i).name().name(), others.get(i).stamp());
        }
    }

    private void pruneCandidates() throws IOException {
        long limit = clock.millis() - config.candidateRetention().toMillis();
        for (Found each : find(ArtifactName.Kind.CANDIDATE)) {
            boolean old = each.stamp().modified().toMillis() <= limit;
            if (old && !candidates.isReserved(each.name().name())) {
                directory.deleteIfUnchanged(each.name().name(), each.stamp());
            }
        }
    }

    private List<Found> find(ArtifactName.Kind kind) throws IOException {
        List<Found> found = new ArrayList<>();
        for (String name : directory.list()) {
            ArtifactName artifact = ArtifactName.of(name);
            if (artifact.kind() == kind) {
                Optional<OwnedDirectory.Stamp> stamp = directory.stamp(name);
                stamp.ifPresent(value -> found.add(new Found(artifact, value)));
            }
        }
        return found;
    }
}

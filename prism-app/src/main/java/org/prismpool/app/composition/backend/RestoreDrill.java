package org.prismpool.app.composition.backend;

import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditArtifact;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.window.CountedShare;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.AuditRow;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.RestoreCheck;
import org.prismpool.sharewriter.window.ShareCursor;

/**
 * Looks a restored deployment over before a coordinator starts on it (spec 06 §9.2): the ledger, the audit bodies that it
 * points to, and whether each bundle counts exactly the shares of its reward window. Only reads; blocking, for one caller.
 */
public final class RestoreDrill {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final MonotonicClock CLOCK = MonotonicClock.system();

    private final PostgresTarget target;
    private final Optional<Path> auditFolder;

    private RestoreDrill(PostgresTarget target, Optional<Path> auditFolder) {
        this.target = target;
        this.auditFolder = auditFolder;
    }

    /**
     * Finds the database.
     *
     * @param given environment texts; only the database variables matter
     * @param databaseUrl address that overrides the environment's, empty for none
     * @param auditFolder where the audit bodies were restored to; empty leaves out those that are files
     * @return the drill, not yet connected
     * @throws IllegalArgumentException if no database is named, or its address is broken
     */
    public static RestoreDrill of(Map<String, String> given, Optional<String> databaseUrl, Optional<Path> auditFolder) {
        return new RestoreDrill(LedgerSchema.target(given, databaseUrl), auditFolder);
    }

    /**
     * What a deployment holds and what is wrong with it.
     *
     * @param ledger what the database itself shows
     * @param bodies audit bodies that were read
     * @param unread audit bodies that were left out for want of a folder
     * @param findings everything that is wrong, empty if nothing is
     */
    public record Report(RestoreCheck.Report ledger, int bodies, int unread, List<String> findings) {

        /** Copies the list. */
        public Report {
            findings = List.copyOf(findings);
        }
    }

    /**
     * Runs the drill.
     *
     * @return what was found
     * @throws org.prismpool.sharewriter.LedgerException if the database fails
     */
    public Report run() {
        RestoreCheck.Report checked = RestoreCheck.run(target, PATIENCE);
        List<String> findings = new ArrayList<>(checked.findings());
        int bodies = 0;
        int unread = 0;
        try (PostgresDatabase database = PostgresDatabase.open(PostgresConfig.of(target), LedgerMetrics.NONE, CLOCK)) {
            Ledger ledger = database.readOnly();
            for (String block : checked.bundledBlocks()) {
                AuditBundleRow row = ledger.audits()
                        .find(block, deadline())
                        .map(AuditRow::bundle)
                        .orElseThrow(() -> new IllegalStateException("an audit row vanished"));
                if (row.body() instanceof AuditBundleRow.External && auditFolder.isEmpty()) {
                    unread++;
                    continue;
                }
                bodies++;
                finding(ledger, row).ifPresent(what -> findings.add("block " + block + ": " + what));
            }
        }
        return new Report(checked, bodies, unread, findings);
    }

    private static Deadline deadline() {
        return Deadline.after(PATIENCE, CLOCK, "restore-drill");
    }

    private Optional<String> finding(Ledger ledger, AuditBundleRow row) {
        AuditBundle bundle;
        try {
            bundle = body(row.body());
        } catch (UncheckedIOException | PayoutRuleException unreadable) {
            return Optional.of("its audit body cannot be read: " + unreadable.getMessage());
        }
        if (!bundle.sha256Hex().equals(row.sha256())) {
            return Optional.of("its audit body has another digest");
        }
        Set<String> recorded = new HashSet<>();
        bundle.shares().forEach(share -> recorded.add(share.shareId()));
        BigInteger difficulty = bundle.foundBlock().networkDifficulty().toBigInteger();
        long omitted =
                ledger.windows().auditWindow(bundle.foundBlock().anchorJobIssuedAtMs(), difficulty, deadline()).stream()
                        .filter(counted ->
                                !recorded.contains(counted.stored().share().shareId()))
                        .count();
        if (omitted != 0) {
            return Optional.of("its audit body lacks " + omitted + " shares of its reward window");
        }
        int lost = lost(ledger, bundle);
        return lost == 0
                ? Optional.empty()
                : Optional.of("the ledger lacks " + lost + " shares that its audit body counts");
    }

    /** Counted shares that the ledger does not hold as they were: a restore to an earlier time. */
    private static int lost(Ledger ledger, AuditBundle bundle) {
        if (bundle.collects()) {
            return 0;
        }
        Map<Long, CountedShare> counted = new HashMap<>();
        bundle.rewardManifest().shares().forEach(share -> counted.put(share.shareSeq(), share));
        if (counted.isEmpty()) {
            return 0;
        }
        try (ShareCursor rows = ledger.windows()
                .openRange(Collections.min(counted.keySet()), Collections.max(counted.keySet()), deadline())) {
            boolean more = true;
            while (more) {
                more = rows.advance(row -> counted.computeIfPresent(
                        row.shareSeq(), (sequence, share) -> same(row.share(), share) ? null : share));
            }
        }
        return counted.size();
    }

    private static boolean same(PendingShare row, CountedShare share) {
        return row.shareId().equals(share.shareId())
                && row.shareDifficulty().equals(share.shareDifficulty().toBigInteger())
                && row.program().hex().equals(share.identity().programHex())
                && row.jobIssuedAtMs() == share.jobIssuedAtMs()
                && row.acceptedAtMs() == share.acceptedAtMs();
    }

    private AuditBundle body(AuditBundleRow.AuditBody body) {
        if (body instanceof AuditBundleRow.External file) {
            Path name = Objects.requireNonNull(Path.of(file.uri()).getFileName(), "an audit body has a name");
            return AuditArtifact.read(auditFolder.orElseThrow().resolve(name));
        }
        byte[] json = ((AuditBundleRow.Inline) body).json().getBytes(StandardCharsets.UTF_8);
        return AuditArtifact.read(new ByteArrayInputStream(json), auditFolder.orElse(Path.of("")));
    }
}

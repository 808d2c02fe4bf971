package org.prismpool.payout.audit;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.WindowShare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes runs of shares into slots that several bodies share (payout specification 15.4). Used under the store's lock. */
final class SlotFiles {

    private static final Logger LOG = LoggerFactory.getLogger(SlotFiles.class);

    private final OwnedDirectory directory;
    private final int segmentSize;
    private final MissingShares missing;
    private final Clock clock;

    SlotFiles(OwnedDirectory directory, int segmentSize, MissingShares missing, Clock clock) {
        this.directory = directory;
        this.segmentSize = segmentSize;
        this.missing = missing;
        this.clock = clock;
    }

    /** Returns whether shares can be kept in slots: strictly ascending without a gap. */
    static boolean isContiguous(List<WindowShare> shares) {
        if (shares.isEmpty() || shares.get(0).shareSeq() == 0) {
            return false;
        }
        for (int i = 1; i < shares.size(); i++) {
            if (shares.get(i).shareSeq() != shares.get(i - 1).shareSeq() + 1) {
                return false;
            }
        }
        return true;
    }

    /** Stores contiguous shares and returns where they are. */
    List<SharePart> store(List<WindowShare> shares) throws IOException {
        List<SharePart> parts = new ArrayList<>();
        int from = 0;
        while (from < shares.size()) {
            long slot = Long.divideUnsigned(shares.get(from).shareSeq() - 1, segmentSize);
            int to = from + 1;
            while (to < shares.size() && Long.divideUnsigned(shares.get(to).shareSeq() - 1, segmentSize) == slot) {
                to++;
            }
            parts.add(storeRun(slot, ShareSegment.of(shares.subList(from, to))));
            from = to;
        }
        return parts;
    }

    private SharePart storeRun(long slot, ShareSegment run) throws IOException {
        long first = slot * segmentSize + 1;
        long last = first + segmentSize - 1;
        String name = ArtifactName.slot(first, last);
        byte[] bytes = run.canonicalBytes();
        String digest = Sha256.hex(bytes);
        Optional<byte[]> existing = directory.read(name);
        if (existing.isEmpty()) {
            directory.replace(name, bytes);
        } else if (!Arrays.equals(existing.get(), bytes)) {
            Optional<List<WindowShare>> merged = merged(existing.get(), run);
            if (merged.isEmpty()) {
                return keepApart(name, run, bytes, digest);
            }
            byte[] mergedBytes = ShareSegment.of(merged.get()).canonicalBytes();
            if (!Arrays.equals(mergedBytes, existing.get())) {
                directory.replace(name, mergedBytes);
            }
        }
        return SharePart.range(first, last, run, digest, name);
    }

    /** Merges a run into the shares of a slot; nothing if they contradict each other or a hole can't be filled. */
    private Optional<List<WindowShare>> merged(byte[] existing, ShareSegment run) {
        Map<Long, WindowShare> shares = new TreeMap<>(Long::compareUnsigned);
        try {
            ShareSegment.read(ExactReader.of(existing), new IdentityPool())
                    .shares()
                    .forEach(share -> shares.put(share.shareSeq(), share));
        } catch (JsonException e) {
            LOG.atWarn().addKeyValue("cause", e.getMessage()).log("audit share slot is unreadable");
            return Optional.empty();
        }
        for (WindowShare share : run.shares()) {
            WindowShare known = shares.putIfAbsent(share.shareSeq(), share);
            if (known != null && !known.equals(share)) {
                return Optional.empty();
            }
        }
        List<WindowShare> ascending = new ArrayList<>(shares.values());
        if (isContiguous(ascending)) {
            return Optional.of(ascending);
        }
        fillHoles(ascending, shares);
        List<WindowShare> filled = new ArrayList<>(shares.values());
        return isContiguous(filled) ? Optional.of(filled) : Optional.empty();
    }

    private void fillHoles(List<WindowShare> ascending, Map<Long, WindowShare> shares) {
        for (int i = 1; i < ascending.size(); i++) {
            long before = ascending.get(i - 1).shareSeq();
            long after = ascending.get(i).shareSeq();
            if (after != before + 1) {
                try {
                    missing.load(before + 1, after - 1).forEach(share -> shares.putIfAbsent(share.shareSeq(), share));
                } catch (RuntimeException e) {
                    LOG.atWarn()
                            .addKeyValue("first_share_seq", before + 1)
                            .addKeyValue("last_share_seq", after - 1)
                            .setCause(e)
                            .log("shares for an audit slot could not be loaded");
                    return;
                }
            }
        }
    }

    /** Keeps a run in a file of its own; the slot stays as it is and is copied once for the record. */
    private SharePart keepApart(String slotName, ShareSegment run, byte[] bytes, String digest) throws IOException {
        String name = ArtifactName.segment(run.firstShareSeq(), run.lastShareSeq(), digest);
        directory.writeImmutable(name, bytes);
        boolean recorded = directory.list().stream().anyMatch(each -> each.startsWith(slotName + ".conflict-"));
        if (!recorded) {
            directory.snapshot(slotName, slotName + ".conflict-" + clock.millis() * 1_000_000);
        }
        LOG.atWarn().addKeyValue("slot", slotName).log("audit share slot has another content, run kept apart");
        return new SharePart(
                SharePart.Kind.SEGMENT_RANGE,
                Optional.empty(),
                Optional.empty(),
                run.firstShareSeq(),
                run.lastShareSeq(),
                run.shareCount(),
                digest,
                name,
                List.of());
    }
}

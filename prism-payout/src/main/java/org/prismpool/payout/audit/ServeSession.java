package org.prismpool.payout.audit;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.signing.ManifestSigner;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowShare;

/**
 * Answers build requests line by line and keeps the two windows used last (payout specification 12.1, protocol 1). For one
 * thread.
 */
public final class ServeSession {

    private static final int MAX_WINDOWS = 2;
    private static final Name ERROR = Name.of("error");
    private static final Name NEEDS_WINDOW = Name.of("needs_window");
    private static final Name OK = Name.of("ok");

    private final ManifestSigner coinbaseSigner;
    private final ManifestSigner ledgerSigner;
    private final Map<String, CachedWindow> windows = new LinkedHashMap<>(); // least recently used first
    private long hits;
    private long misses;

    /** Shares of a window, and what was computed from them last. */
    private static final class CachedWindow {
        final List<WindowShare> shares;

        @Nullable RewardWindow reward;

        CachedWindow(List<WindowShare> shares) {
            this.shares = shares;
        }

        RewardWindow reward(FoundBlock block) {
            RewardWindow known = reward;
            if (known != null
                    && known.block().networkDifficulty().equals(block.networkDifficulty())
                    && known.block().anchorJobIssuedAtMs() == block.anchorJobIssuedAtMs()) {
                return known.forBlock(block);
            }
            RewardWindow computed = RewardWindow.of(shares, block);
            reward = computed;
            return computed;
        }
    }

    /**
     * Starts a session.
     *
     * @param coinbaseSigner key of coinbase manifests
     * @param ledgerSigner key of ledger-window attestations
     */
    public ServeSession(ManifestSigner coinbaseSigner, ManifestSigner ledgerSigner) {
        this.coinbaseSigner = coinbaseSigner;
        this.ledgerSigner = ledgerSigner;
    }

    /**
     * Answers one request.
     *
     * @param line the request, one JSON document
     * @param metrics times the request and renders its figures
     * @return the reply, one JSON document without newline
     */
    public String answer(byte[] line, PhaseMetrics metrics) {
        BuildInputDocument request;
        try {
            metrics.inputBegan();
            request = BuildInputDocument.readRequest(ExactReader.of(line));
            metrics.inputEnded();
        } catch (JsonException e) {
            return failure("malformed serve request: " + e.getMessage(), false);
        }
        String key = request.windowKey;
        boolean upload = !request.compactShares.isEmpty();
        if (!upload && !request.identities.isEmpty()) {
            return failure("compact share identities were supplied without compact shares", false);
        }
        CachedWindow window;
        if (upload) {
            try {
                window = new CachedWindow(request.expanded());
            } catch (PayoutRuleException e) {
                return failure("invalid window upload: " + e.reason(), false);
            }
            misses++;
        } else {
            CachedWindow cached = windows.get(key);
            if (cached == null) {
                return failure("share window " + key + " is not cached", true);
            }
            window = cached;
            hits++;
        }
        windows.remove(key); // a failed build must not leave it behind; a successful one puts it last
        return build(request, window, upload, metrics);
    }

    private String build(BuildInputDocument request, CachedWindow window, boolean upload, PhaseMetrics metrics) {
        JobSummary summary;
        try {
            BlockTerms terms = request.terms();
            metrics.phaseBegan(BuildPhase.PAYOUT_STATE_DERIVATION);
            RewardWindow reward = window.reward(terms.foundBlock());
            metrics.phaseEnded(BuildPhase.PAYOUT_STATE_DERIVATION);
            summary = new AuditBundleBuilder(coinbaseSigner, ledgerSigner, metrics).summarize(reward, terms);
        } catch (PayoutRuleException e) {
            return failure("audit bundle build failed: " + e.reason(), false);
        }
        windows.put(request.windowKey, window);
        if (windows.size() > MAX_WINDOWS) {
            windows.remove(windows.keySet().iterator().next());
        }
        metrics.outputBegan();
        String document = new String(summary.canonicalBytes(), StandardCharsets.UTF_8);
        metrics.outputEnded();
        return "{\"ok\":true,\"summary\":" + document + ",\"metrics\":" + metrics.toJson()
                + ",\"window_cache\":{\"hit\":" + !upload + ",\"hits\":" + hits + ",\"misses\":" + misses
                + ",\"entries\":" + windows.size() + "}}";
    }

    private static String failure(String message, boolean needsWindow) {
        byte[] reply = CanonicalWriter.bytesOf(out -> {
            out.beginObject();
            out.member(ERROR, message);
            out.name(NEEDS_WINDOW);
            out.bool(needsWindow);
            out.name(OK);
            out.bool(false);
            out.endObject();
        });
        return new String(reply, StandardCharsets.UTF_8);
    }
}

package org.prismpool.app.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;

/** What the demo shows: lines for people, one document for programs. */
public final class DemoReport {

    private static final int COIN_DIGITS = 8;

    private DemoReport() {}

    static String coins(long sats) {
        return BigDecimal.valueOf(sats, COIN_DIGITS).toPlainString();
    }

    static String hashrate(double perSecond) {
        if (perSecond >= 1e6) {
            return String.format(Locale.ROOT, "%.2f MH/s", perSecond / 1e6);
        }
        return String.format(Locale.ROOT, "%.1f kH/s", perSecond / 1e3);
    }

    static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    static String block(CheckedBlock block, String finder) {
        StringBuilder text = new StringBuilder();
        text.append("block ")
                .append(block.height())
                .append(' ')
                .append(block.hash())
                .append(" found by ")
                .append(finder)
                .append('\n');
        for (CheckedBlock.Payout payout : block.payouts()) {
            text.append(String.format(Locale.ROOT, "  %18s  %s%n", coins(payout.amountSats()), payout.address()));
        }
        if (block.good()) {
            text.append("  audit: verified; the coinbase pays what the bundle says");
        } else {
            block.problems()
                    .forEach(problem ->
                            text.append("  PROBLEM: ").append(problem).append('\n'));
        }
        return text.toString().stripTrailing();
    }

    /**
     * Writes a summary for people.
     *
     * @param summary how the demo ended
     * @return several lines
     */
    public static String text(DemoSummary summary) {
        StringBuilder text = new StringBuilder();
        long rejected = total(summary.sharesRejected());
        long verified = summary.blocks().stream().filter(CheckedBlock::good).count();
        text.append(String.format(Locale.ROOT, "%nsummary after %.1f s%n", summary.seconds()));
        text.append("  shares accepted ")
                .append(summary.sharesAccepted())
                .append(", rejected ")
                .append(rejected);
        if (rejected > 0) {
            text.append(' ').append(summary.sharesRejected());
        }
        text.append(", in the ledger ").append(summary.sharesInLedger()).append('\n');
        text.append("  blocks accepted ")
                .append(summary.blocks().size())
                .append(", audit bundles verified ")
                .append(verified)
                .append('\n');
        text.append("  payouts\n");
        summary.payouts()
                .forEach((address, sats) ->
                        text.append(String.format(Locale.ROOT, "  %18s  %s%n", coins(sats), address)));
        summary.problems()
                .forEach(problem -> text.append("  PROBLEM: ").append(problem).append('\n'));
        text.append("  verdict: ").append(summary.ok() ? "ok" : "FAILED");
        return text.toString();
    }

    /**
     * Writes a summary for programs.
     *
     * @param summary how the demo ended
     * @return one JSON document
     */
    public static String json(DemoSummary summary) {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = mapper.createObjectNode();
        root.put("ok", summary.ok());
        root.put("seconds", summary.seconds());
        root.put("shares_accepted", summary.sharesAccepted());
        root.put("shares_in_ledger", summary.sharesInLedger());
        ObjectNode rejected = root.putObject("shares_rejected");
        summary.sharesRejected().forEach(rejected::put);
        ArrayNode blocks = root.putArray("blocks");
        for (CheckedBlock block : summary.blocks()) {
            ObjectNode one = blocks.addObject();
            one.put("hash", block.hash());
            one.put("height", block.height());
            one.put("audit_verified", block.good());
            ArrayNode payouts = one.putArray("payouts");
            for (CheckedBlock.Payout payout : block.payouts()) {
                payouts.addObject().put("address", payout.address()).put("amount_sats", payout.amountSats());
            }
            block.problems().forEach(one.withArray("problems")::add);
        }
        ObjectNode payouts = root.putObject("payouts_sats");
        summary.payouts().forEach(payouts::put);
        summary.problems().forEach(root.withArray("problems")::add);
        try {
            return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of texts and numbers is always JSON", impossible);
        }
    }
}

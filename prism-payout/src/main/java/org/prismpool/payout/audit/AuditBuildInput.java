package org.prismpool.payout.audit;

import java.util.List;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.window.WindowShare;

/**
 * What an audit bundle is built from.
 *
 * @param shares accepted shares in the order they are published, ineligible ones included
 * @param terms everything else
 */
public record AuditBuildInput(List<WindowShare> shares, BlockTerms terms) {

    /**
     * Reads a build input (payout specification 8.1).
     *
     * @param in the reader
     * @param summaryOnly whether only a job summary is wanted; compact shares are refused otherwise
     * @return the input
     * @throws org.prismpool.payout.json.JsonException if it is malformed
     * @throws org.prismpool.payout.window.PayoutRuleException if compact shares are used against their rules
     */
    public static AuditBuildInput read(ExactReader in, boolean summaryOnly) {
        return BuildInputDocument.read(in).toInput(summaryOnly);
    }
}

package org.prismpool.sharewriter.read;

import java.time.Instant;
import java.util.Optional;
import org.prismpool.sharewriter.fanout.FanoutRow;

/**
 * A fanout transaction as public pages show it.
 *
 * @param row the transaction with its block and status
 * @param auditBundleSha256 digest of the block's audit bundle, empty without a bundle row
 * @param lastAttemptAt time of the newest broadcast attempt, empty before the first one
 * @param lastError error of that attempt, empty for none
 */
public record PublicFanout(
        FanoutRow row,
        Optional<String> auditBundleSha256,
        Optional<Instant> lastAttemptAt,
        Optional<String> lastError) {}

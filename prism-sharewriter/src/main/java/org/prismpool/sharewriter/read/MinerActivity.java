package org.prismpool.sharewriter.read;

import java.time.Instant;
import java.util.Optional;

/**
 * A miner's accepted work.
 *
 * @param work work over every window, with the moment of the read
 * @param lastShareAt acceptance of the newest share, however old; empty for a miner without shares
 */
public record MinerActivity(WorkByWindow work, Optional<Instant> lastShareAt) {}

package org.prismpool.lifecycle.watchdog;

import java.util.Optional;

/**
 * One consistent reading of the fatal path.
 *
 * @param claimed why the process ends, once that is decided
 * @param releaseAttempts releases tried: 0 or 1
 * @param outcome what the release came to, once it is known
 */
public record FatalSnapshot(Optional<FatalReason> claimed, int releaseAttempts, Optional<FatalOutcome> outcome) {}

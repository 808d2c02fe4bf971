package org.prismpool.app.publicapi.query;

import java.util.Optional;

/**
 * Which workers of a miner are asked for.
 *
 * @param recipient miner, not blank
 * @param page part of the list
 * @param search text that a worker name contains, not blank, at most 128 characters
 * @param hideInactive whether only workers with a share in the last ten minutes count
 */
public record WorkersQuery(String recipient, Page page, Optional<String> search, boolean hideInactive) {}

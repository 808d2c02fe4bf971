package org.prismpool.sharewriter.block;

import org.prismpool.sharewriter.CandidateState;

/**
 * Answer to a candidate stored without a share.
 *
 * @param inserted true if the row is new
 * @param state state of the row
 */
public record CandidateInsert(boolean inserted, CandidateState state) {}

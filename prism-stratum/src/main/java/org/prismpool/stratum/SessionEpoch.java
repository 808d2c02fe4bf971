package org.prismpool.stratum;

/**
 * Generations of a session that a job or a request was made for (spec 02 §3.1).
 *
 * @param connectionId number of the connection, 1 or more, never reused in this process
 * @param authorizationGeneration successful authorizations so far
 * @param difficultyGeneration explicit difficulty changes so far; vardiff does not count
 */
public record SessionEpoch(long connectionId, long authorizationGeneration, long difficultyGeneration) {}

package org.prismpool.stratum;

/** Outcome of {@link CandidateSink#submitNow}. */
public enum LandingResult {
    /** The block is on the chain and its share newly credited. */
    LANDED,
    /** The block is on the chain and its share had been credited before. */
    ALREADY_CREDITED,
    /** The block is definitely not on the chain. */
    NOT_LANDED,
    /** Not known yet; the candidate stays pending and a resubmission joins it. */
    OPEN
}

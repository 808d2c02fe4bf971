package org.prismpool.app.publicapi.cache;

import java.util.Locale;
import org.prismpool.app.publicapi.PublicBody;

/**
 * An answer and where it came from.
 *
 * @param body the answer
 * @param source where it came from
 * @param ageSeconds whole seconds in this cache, 0 unless it came from there
 */
public record CachedBody(PublicBody body, Source source, long ageSeconds) {

    /** Where an answer came from. */
    public enum Source {
        /** From the cache. */
        HIT,
        /** Computed and kept. */
        MISS,
        /** Computed and not kept. */
        BYPASS;

        /**
         * Returns the word of the debug header.
         *
         * @return the name in lower case
         */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static CachedBody computed(PublicBody body, boolean kept) {
        return new CachedBody(body, kept ? Source.MISS : Source.BYPASS, 0);
    }
}

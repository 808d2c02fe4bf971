package org.prismpool.app.publicapi.query;

import java.util.Optional;

/**
 * Which rows of a leaderboard are asked for.
 *
 * @param window whose shares count
 * @param page part of the list
 * @param search text that a recipient contains, not blank, at most 128 characters
 * @param recipient exactly this recipient; only with the reward window, and not together with a search
 */
public record LeaderboardQuery(Window window, Page page, Optional<String> search, Optional<String> recipient) {

    /** Whose shares count. */
    public enum Window {
        /** The last three hours. */
        THREE_HOURS("3h"),
        /** The reward window. */
        REWARD("reward");

        private final String id;

        Window(String id) {
            this.id = id;
        }

        /**
         * Returns the word of the contract.
         *
         * @return value of the parameter and of the member {@code window.id}
         */
        public String id() {
            return id;
        }
    }

    /** Checks that the filters fit. */
    public LeaderboardQuery {
        if (recipient.isPresent() && (window != Window.REWARD || search.isPresent())) {
            throw new IllegalArgumentException("a recipient needs the reward window and no search");
        }
    }
}

package org.prismpool.stratum.session;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A username split at its first dot (spec 02 §4.1).
 *
 * @param full the username as sent, never trimmed
 * @param base part before the first dot, the payout address; may be empty
 * @param worker part after it, or empty without a dot
 */
public record WorkerName(String full, String base, Optional<String> worker) {

    /** Longest username in UTF-8 bytes. */
    public static final int MAX_BYTES = 256;

    /**
     * Splits a username.
     *
     * @param username text as sent
     * @return its parts, or empty if it is too long, holds a control character or is not representable in UTF-8
     */
    public static Optional<WorkerName> parse(String username) {
        if (!storable(username)) {
            return Optional.empty();
        }
        int dot = username.indexOf('.');
        return Optional.of(
                dot < 0
                        ? new WorkerName(username, username, Optional.empty())
                        : new WorkerName(
                                username, username.substring(0, dot), Optional.of(username.substring(dot + 1))));
    }

    private static boolean storable(String username) {
        if (username.length() > MAX_BYTES || username.chars().anyMatch(Character::isISOControl)) {
            return false;
        }
        try {
            return StandardCharsets.UTF_8
                            .newEncoder()
                            .encode(CharBuffer.wrap(username))
                            .remaining()
                    <= MAX_BYTES;
        } catch (CharacterCodingException unpairedSurrogate) {
            return false;
        }
    }
}

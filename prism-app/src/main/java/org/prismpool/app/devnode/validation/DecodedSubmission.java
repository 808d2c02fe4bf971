package org.prismpool.app.devnode.validation;

import java.util.Optional;
import org.prismpool.app.devnode.chain.RawBlock;

/**
 * What a submitted byte string turned out to be: exactly one member is present, or none when the bytes are no block.
 *
 * @param block the decoded block
 * @param reason reject reason known from the header alone
 */
public record DecodedSubmission(Optional<RawBlock> block, Optional<String> reason) {

    static DecodedSubmission undecodable() {
        return new DecodedSubmission(Optional.empty(), Optional.empty());
    }

    static DecodedSubmission refused(String reason) {
        return new DecodedSubmission(Optional.empty(), Optional.of(reason));
    }

    static DecodedSubmission of(RawBlock block) {
        return new DecodedSubmission(Optional.of(block), Optional.empty());
    }

    /**
     * Tells whether the bytes are no block at all.
     *
     * @return true for the RPC error −22
     */
    public boolean isUndecodable() {
        return block.isEmpty() && reason.isEmpty();
    }
}

package org.prismpool.payout.tool;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.prismpool.payout.signing.SigningSeed;

/**
 * Where a seed comes from. The text of a seed never appears in {@link #toString}.
 *
 * @param hex the seed itself, or empty
 * @param file a file that holds it, or empty; used if there is no text
 */
record SeedArgument(Optional<String> hex, Optional<String> file) {

    /** No seed. */
    static final SeedArgument NONE = new SeedArgument(Optional.empty(), Optional.empty());

    SeedArgument withHex(Optional<String> text) {
        return new SeedArgument(text, file);
    }

    SeedArgument withFile(Optional<String> path) {
        return new SeedArgument(hex, path);
    }

    boolean isGiven() {
        return hex.isPresent() || file.isPresent();
    }

    SigningSeed seed() throws IOException {
        if (hex.isPresent()) {
            return SigningSeed.ofHex(hex.get());
        }
        return SigningSeed.ofFile(Path.of(file.orElseThrow()));
    }

    @Override
    public String toString() {
        return "SeedArgument[hex=" + (hex.isPresent() ? "***" : "") + ", file=" + file.orElse("") + "]";
    }
}

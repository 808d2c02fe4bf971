package org.prismpool.templates.block;

import java.nio.charset.StandardCharsets;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Sha256d;

/** Candidates for tests, told apart by a number. */
final class Candidates {

    static final Hash256 PARENT = hash("parent");

    private Candidates() {}

    static Hash256 hash(String name) {
        return Sha256d.hash(name.getBytes(StandardCharsets.UTF_8));
    }

    static BlockCandidate candidate(int number, long height) {
        return candidate(number, height, PARENT);
    }

    static BlockCandidate candidate(int number, long height, Hash256 parent) {
        return new BlockCandidate(
                hash("block " + number),
                parent,
                height,
                "b10c" + number,
                "c0",
                "{}",
                BlockCandidate.ShareCredit.COMMITTED);
    }
}

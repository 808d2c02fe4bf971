package org.prismpool.payout.json;

import java.util.Optional;

/**
 * Walks the members of one object. Unknown members are skipped, a known one that comes twice is an error, and so is the
 * end of the object while a mandatory one is missing.
 */
public final class ObjectCursor {

    private final ExactReader in;
    private final ObjectShape shape;
    private long seen;
    private int expected;
    private int current = -1;

    ObjectCursor(ExactReader in, ObjectShape shape) {
        this.in = in;
        this.shape = shape;
    }

    /**
     * Moves to the next known member; its value must be read before the next call.
     *
     * @return whether there is one; false closes the object
     * @throws JsonException if the text is malformed, a known member comes twice or a mandatory one is missing
     */
    public boolean next() {
        while (in.hasMember()) {
            current = in.memberName(shape, expected);
            if (current < 0) {
                in.skip();
                continue;
            }
            long bit = 1L << current;
            if ((seen & bit) != 0) {
                throw in.error("duplicate field `" + shape.name(current) + "`");
            }
            seen |= bit;
            expected = current + 1;
            return true;
        }
        int missing = shape.firstMissing(seen);
        if (missing >= 0) {
            throw in.error("missing field `" + shape.name(missing) + "`");
        }
        return false;
    }

    /**
     * Takes the value of the current member and the members after it, if they are a run that is known.
     *
     * @param <T> type of the values
     * @param runs the known runs; their first member is the current one
     * @return what the run stands for; empty if nothing was taken and the value is still to be read
     */
    public <T> Optional<T> known(MemberRuns<T> runs) {
        runs.forgetUnknown();
        long others = 0;
        for (int i = 1; i < runs.size(); i++) {
            others |= 1L << (current + i);
        }
        if ((seen & others) != 0 || runs.indexIn(shape) != current) {
            return Optional.empty();
        }
        Optional<T> known = in.known(runs);
        if (known.isPresent()) {
            seen |= others;
            expected = current + runs.size();
        }
        return known;
    }

    /**
     * Returns the place of the current member in the shape.
     *
     * @return 0 for the shape's first member; -1 before the first call of {@link #next}
     */
    public int index() {
        return current;
    }

    /**
     * Returns the name of the current member.
     *
     * @return the name, one of the shape's
     */
    public String name() {
        return shape.name(current).text();
    }
}

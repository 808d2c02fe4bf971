package org.prismpool.payout.json;

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
     * Returns the name of the current member.
     *
     * @return the name, one of the shape's
     */
    public String name() {
        return shape.name(current).text();
    }
}

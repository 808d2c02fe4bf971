package org.prismpool.payout.json;

import java.util.HashMap;
import java.util.Map;

/** The known members of one kind of object: which must be there and which may. Immutable. */
public final class ObjectShape {

    private final Name[] names;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final long required;

    private ObjectShape(Name[] names, long required) {
        if (names.length > 64) {
            throw new IllegalArgumentException("more than 64 members");
        }
        this.names = names.clone();
        this.required = required;
        for (int i = 0; i < names.length; i++) {
            indexes.put(names[i].text(), i);
        }
    }

    /**
     * Returns a shape whose members are all mandatory.
     *
     * @param names the members, in canonical order
     * @return the shape
     */
    public static ObjectShape required(Name... names) {
        return new ObjectShape(names, names.length == 64 ? -1 : (1L << names.length) - 1);
    }

    /**
     * Returns a shape whose members may all be absent.
     *
     * @param names the members, in canonical order
     * @return the shape
     */
    public static ObjectShape optional(Name... names) {
        return new ObjectShape(names, 0);
    }

    /**
     * Returns this shape with some of its members optional.
     *
     * @param optional members of this shape that may be absent
     * @return the shape
     */
    public ObjectShape except(Name... optional) {
        long stillRequired = required;
        for (Name name : optional) {
            Integer index = indexes.get(name.text());
            if (index == null) {
                throw new IllegalArgumentException("not a member: " + name);
            }
            stillRequired &= ~(1L << index);
        }
        return new ObjectShape(names, stillRequired);
    }

    int size() {
        return names.length;
    }

    Name name(int index) {
        return names[index];
    }

    /** Returns the index of a member, or -1 for an unknown one. */
    int indexOf(String name) {
        Integer index = indexes.get(name);
        return index == null ? -1 : index;
    }

    /** Returns the first mandatory member that a set of seen ones lacks, or -1. */
    int firstMissing(long seen) {
        long missing = required & ~seen;
        return missing == 0 ? -1 : Long.numberOfTrailingZeros(missing);
    }
}

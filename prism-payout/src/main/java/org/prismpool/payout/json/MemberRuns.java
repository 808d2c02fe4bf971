package org.prismpool.payout.json;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values that stand for runs of text members which occur often in a document, as the identity of a miner does in a list of
 * shares: a run whose bytes were seen before is recognised as a whole, instead of text by text. Only a cache: what is not
 * recognised has to be read member by member. For one thread.
 *
 * @param <T> type of the values
 */
public final class MemberRuns<T> {

    private static final int FIRST_SLOTS = 1 << 10; // a power of two
    private static final int MAX_SLOTS = 1 << 17; // some times ten thousand miners
    private static final int HASHED = 32; // the last bytes of a run, which must tell most runs apart

    private final Name[] names;
    private @Nullable Known<T>[] slots = slots(FIRST_SLOTS);
    private byte @Nullable [] unknown; // the run that was not recognised and is being read member by member
    private @Nullable ObjectShape shape; // asked about last
    private int indexInShape;
    private int displaced; // values that another one took the slot of, since the table grew last

    /**
     * A run that was read before.
     *
     * @param run from the value of its first member to that of its last one
     * @param value what it stands for
     */
    private record Known<T>(byte[] run, T value) {}

    /**
     * Creates an empty cache.
     *
     * @param names the members of a run in their order, all of them texts
     */
    public MemberRuns(Name... names) {
        this.names = names.clone();
    }

    /**
     * Remembers what the run stands for that was last asked about and not recognised; nothing if it can't be recognised at all.
     *
     * @param value the value
     */
    public void keep(T value) {
        byte[] run = unknown;
        if (run == null) {
            return;
        }
        unknown = null;
        int slot = slot(run, run.length);
        if (slots[slot] != null && ++displaced > slots.length && slots.length < MAX_SLOTS) {
            grow();
            slot = slot(run, run.length);
        }
        slots[slot] = new Known<>(run, value);
    }

    /** Makes sure that what is kept next belongs to a run of the same object. */
    void forgetUnknown() {
        unknown = null;
    }

    /** Returns the index of the first member in a shape that has all of them side by side, or -1. */
    @SuppressWarnings("ReferenceEquality") // shapes are constants
    int indexIn(ObjectShape asked) {
        if (asked != shape) {
            shape = asked;
            indexInShape = asked.indexOf(names[0].text());
            for (int i = 1; i < names.length; i++) {
                if (asked.indexOf(names[i].text()) != indexInShape + i) {
                    indexInShape = -1;
                    break;
                }
            }
        }
        return indexInShape;
    }

    int size() {
        return names.length;
    }

    /** Takes the rest of a run, from the value of its first member to that of the last one, if it is a known one. */
    Optional<T> take(ByteWindow window) {
        int start = window.at;
        int end = end(window.bytes, start, window.limit);
        if (end - start < HASHED) {
            return Optional.empty();
        }
        Known<T> known = slots[slot(window.bytes, end)];
        if (known == null || !Arrays.equals(known.run, 0, known.run.length, window.bytes, start, end)) {
            unknown = Arrays.copyOfRange(window.bytes, start, end);
            return Optional.empty();
        }
        window.at = end;
        return Optional.of(known.value);
    }

    /** Returns the end of a run of plain texts without whitespace, or 0 if there is none in the range. */
    private int end(byte[] bytes, int start, int limit) {
        int at = start;
        for (int i = 0; i < names.length; i++) {
            if (i > 0) {
                byte[] name = names[i].encodedAfterComma();
                if (limit - at < name.length || !Arrays.equals(bytes, at, at + name.length, name, 0, name.length)) {
                    return 0;
                }
                at += name.length;
            }
            if (at >= limit || bytes[at] != '"') {
                return 0;
            }
            at = Ascii.firstSpecial(bytes, at + 1, limit);
            if (at >= limit || bytes[at] != '"') {
                return 0;
            }
            at++;
        }
        return at;
    }

    private int slot(byte[] bytes, int end) {
        return Ascii.hash(bytes, Math.max(0, end - HASHED), end) & (slots.length - 1);
    }

    private void grow() {
        @Nullable Known<T>[] old = slots;
        slots = slots(old.length << 2);
        displaced = 0;
        for (Known<T> known : old) {
            if (known != null) {
                slots[slot(known.run, known.run.length)] = known;
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // only keep() fills the slots
    private static <T> @Nullable Known<T>[] slots(int count) {
        return new @Nullable Known[count];
    }
}

package org.prismpool.payout.window;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.U128;

/** An immutable run of shares, newest first, with its total difficulty and, if wanted, its encoded forms. */
final class SharePage {

    static final int SIZE = 512;

    // Encoded identities of thousands of miners lie all over the heap. Touching those of the next shares in one tight
    // loop
    // lets their cache misses overlap: half the time of both encodings with 10 000 miners.
    private static final int AHEAD = 32;

    final WindowShare[] newestFirst;
    final U128 weight;

    private final boolean keepEncoded;
    // Made on first use of the whole page; a race makes the same bytes twice.
    private volatile byte @Nullable [] countedElements;
    private volatile byte @Nullable [] digestRecords;
    int touched; // never read; a result that is stored keeps the compiler from dropping the reads

    SharePage(WindowShare[] newestFirst, U128 weight, boolean keepEncoded) {
        this.newestFirst = newestFirst;
        this.weight = weight;
        this.keepEncoded = keepEncoded;
    }

    /** Writes the first {@code count} shares of the page, all counted in full. */
    void writeCounted(CanonicalWriter out, int count) {
        if (keepEncoded && count == newestFirst.length && out.isCompact()) {
            byte[] elements = countedElements;
            if (elements == null) {
                elements = encodeElements();
                countedElements = elements;
            }
            out.encoded(elements, 0, elements.length);
            return;
        }
        for (int i = 0; i < count; i++) {
            if (i % AHEAD == 0) {
                readAhead(i, count, PayoutIdentity::touchMinerMembers);
            }
            WindowShare share = newestFirst[i];
            ShareMembers.writeCounted(out, share, share.shareDifficulty());
        }
    }

    /** Digests the first {@code count} shares of the page, all counted in full. */
    void digest(SliceDigest digest, int count) {
        if (keepEncoded && count == newestFirst.length) {
            byte[] records = digestRecords;
            if (records == null) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                SliceDigest encoder = new SliceDigest(bytes::write);
                addTo(encoder, count);
                encoder.flush();
                records = bytes.toByteArray();
                digestRecords = records;
            }
            digest.raw(records);
            return;
        }
        addTo(digest, count);
    }

    private void addTo(SliceDigest digest, int count) {
        for (int i = 0; i < count; i++) {
            if (i % AHEAD == 0) {
                readAhead(i, count, PayoutIdentity::touchDigestFields);
            }
            WindowShare share = newestFirst[i];
            digest.add(share, share.shareDifficulty());
        }
    }

    private void readAhead(int from, int count, ToIntFunction<PayoutIdentity> touch) {
        int sum = 0;
        for (int i = from; i < Math.min(count, from + AHEAD); i++) {
            sum += touch.applyAsInt(newestFirst[i].identity());
        }
        touched = sum;
    }

    private byte[] encodeElements() {
        byte[] array = CanonicalWriter.bytesOf(out -> {
            out.beginArray();
            for (WindowShare share : newestFirst) {
                ShareMembers.writeCounted(out, share, share.shareDifficulty());
            }
            out.endArray();
        });
        return Arrays.copyOfRange(array, 1, array.length - 1);
    }
}

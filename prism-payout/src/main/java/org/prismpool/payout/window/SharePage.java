package org.prismpool.payout.window;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.U128;

/** An immutable run of shares, newest first, with its total difficulty and, if wanted, its encoded forms. */
final class SharePage {

    static final int SIZE = 512;

    final WindowShare[] newestFirst;
    final U128 weight;

    private final boolean keepEncoded;
    // Made on first use of the whole page; a race makes the same bytes twice.
    private volatile byte @Nullable [] countedElements;
    private volatile byte @Nullable [] digestRecords;

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
            WindowShare share = newestFirst[i];
            CountedShare.of(share, share.shareDifficulty()).write(out);
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
            WindowShare share = newestFirst[i];
            digest.add(share, share.shareDifficulty());
        }
    }

    private byte[] encodeElements() {
        byte[] array = CanonicalWriter.bytesOf(out -> {
            out.beginArray();
            for (WindowShare share : newestFirst) {
                CountedShare.of(share, share.shareDifficulty()).write(out);
            }
            out.endArray();
        });
        return Arrays.copyOfRange(array, 1, array.length - 1);
    }
}

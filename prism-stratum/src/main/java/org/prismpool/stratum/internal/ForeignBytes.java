package org.prismpool.stratum.internal;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Recognizes the first bytes of TLS, HTTP and PROXY protocol on a port that speaks none of them (spec 02 §1.5). */
final class ForeignBytes {

    /** What the first bytes say. */
    enum Verdict {
        /** More bytes are needed. */
        UNDECIDED,
        /** Another protocol. */
        FOREIGN,
        /** Possibly Stratum. */
        LINES
    }

    private static final List<byte[]> OPENINGS = Stream.of(
                    "\u0016\u0003",
                    "GET ",
                    "POST ",
                    "HEAD ",
                    "PUT ",
                    "OPTIONS ",
                    "CONNECT ",
                    "DELETE ",
                    "PATCH ",
                    "TRACE ",
                    "PRI * HTTP/2",
                    "PROXY ",
                    "\r\n\r\n\0\r\nQUIT\n")
            .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
            .toList();

    private ForeignBytes() {}

    static Verdict judge(ByteBuf bytes) {
        Verdict verdict = Verdict.LINES;
        for (byte[] opening : OPENINGS) {
            int common = 0;
            int available = Math.min(opening.length, bytes.readableBytes());
            while (common < available && bytes.getByte(bytes.readerIndex() + common) == opening[common]) {
                common++;
            }
            if (common == opening.length) {
                return Verdict.FOREIGN;
            }
            if (common == bytes.readableBytes()) {
                verdict = Verdict.UNDECIDED;
            }
        }
        return verdict;
    }
}

package org.prismpool.stratum.session;

import java.util.Optional;
import org.prismpool.stratum.codec.HexText;

/** Version-rolling masks (BIP310, spec 02 §2.3 and §5.5). Pure. */
public final class VersionMask {

    private VersionMask() {}

    /**
     * Grants a mask.
     *
     * @param server bits that the node leaves free
     * @param requested mask of the request, or empty if it names none
     * @return the common bits, or empty if the request is not eight hex digits
     */
    public static Optional<Integer> grant(int server, Optional<String> requested) {
        long client = HexText.unsigned32(requested.orElse("ffffffff"));
        return client < 0 ? Optional.empty() : Optional.of(server & (int) client);
    }

    /**
     * Tells whether submitted bits are allowed.
     *
     * @param bits submitted bits
     * @param current the session's mask now
     * @param frozen the job's mask
     * @param own whether the job belongs to the submitting connection; otherwise only the frozen mask counts
     * @return true if all bits lie inside one of the masks that count
     */
    public static boolean allows(int bits, int current, int frozen, boolean own) {
        return (bits & ~frozen) == 0 || (own && (bits & ~current) == 0);
    }

    /**
     * Applies submitted bits. Template bits inside the server's mask are cleared beforehand, so the job's version has no
     * bit inside any mask that was ever granted.
     *
     * @param version version of the job
     * @param bits allowed bits
     * @return the version to hash
     */
    public static int apply(int version, int bits) {
        return version | bits;
    }
}

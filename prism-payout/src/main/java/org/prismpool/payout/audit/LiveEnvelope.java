package org.prismpool.payout.audit;

import java.util.Optional;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;

/** Reads the pointer out of a live envelope (payout specification 8.18). */
final class LiveEnvelope {

    private static final Name SHA256 = Name.of("audit_bundle_sha256");
    private static final Name BODY_URI = Name.of("body_uri");
    private static final Name BODY_FILENAME = Name.of("body_filename");
    private static final ObjectShape SHAPE =
            ObjectShape.required(SHA256, BODY_URI, BODY_FILENAME).except(BODY_FILENAME);

    private LiveEnvelope() {}

    /** Where the body is and what it must be. */
    record Pointer(String auditBundleSha256, String target) {}

    static Pointer read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        String sha256 = "";
        String uri = "";
        Optional<String> filename = Optional.empty();
        while (member.next()) {
            switch (member.name()) {
                case "audit_bundle_sha256" -> sha256 = in.text();
                case "body_uri" -> uri = in.text();
                default -> filename = in.optional(in::text);
            }
        }
        in.end();
        // The file name is preferred: an envelope that was moved together with its bodies stays readable.
        String target = filename.filter(name -> !name.isEmpty()).orElse(uri);
        if (target.isEmpty()) {
            throw ShareParts.invalid("live envelope has no body");
        }
        return new Pointer(sha256, target);
    }
}

package org.prismpool.app.publicapi.model;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where artifacts and settlements are found. Source: spec 08 §7.7. */
final class ArtifactLinks {

    private static final String JSON = "application/json";

    private ArtifactLinks() {}

    static String url(String sha256) {
        return "/public/v1/artifacts/" + sha256;
    }

    static String settlementUrl(String blockHash) {
        return "/public/v1/blocks/" + blockHash + "/settlement-artifacts";
    }

    static Map<String, @Nullable Object> link(String kind, String sha256, Optional<Long> byteLength) {
        return new Members()
                .with("kind", kind)
                .with("sha256", sha256)
                .with("url", url(sha256))
                .with("content_type", JSON)
                .orNull("byte_length", byteLength)
                .map();
    }
}

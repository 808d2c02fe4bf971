package org.prismpool.sharewriter.spool;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;

/**
 * Reads the journal in which older releases kept shares that the database did not take (ledger contract §2.8): one JSON
 * object per line.
 *
 * <p>For one caller at start, before anything is served. Nothing is ever written to it by this module.
 */
public final class RecoveryJournal {

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Path file;

    /**
     * Creates a reader.
     *
     * @param file the journal; it need not exist
     */
    public RecoveryJournal(Path file) {
        this.file = file;
    }

    /**
     * What a replay did.
     *
     * @param replayed shares that became durable now
     * @param existing shares that were durable before
     * @param conflicts rows that contradict the ledger
     * @param unreadable torn or broken lines
     * @param complete true if every line was settled and the file is gone
     */
    public record Replay(int replayed, int existing, int conflicts, int unreadable, boolean complete) {}

    /**
     * Appends every journalled share by time of acceptance and deletes the file after a fully clean pass; a conflict or
     * a broken line keeps it, any other failure ends the pass.
     *
     * @param append appends one share and waits for its outcome
     * @return what happened
     * @throws UncheckedIOException if the file cannot be read or deleted
     */
    public Replay replay(Function<PendingShare, AppendResult> append) {
        List<PendingShare> shares = new ArrayList<>();
        int unreadable = 0;
        for (String line : lines()) {
            Optional<PendingShare> share = parse(line);
            if (share.isPresent()) {
                shares.add(share.get());
            } else {
                unreadable++;
            }
        }
        shares.sort(Comparator.comparingLong(PendingShare::acceptedAtMs));
        int[] outcomes = new int[4]; // new, existing, conflict, failed
        for (PendingShare share : shares) {
            int outcome = append.apply(share).fold(fresh -> 0, replayed -> 1, conflict -> 2, failed -> 3);
            outcomes[outcome]++;
            if (outcome == 3) {
                break;
            }
        }
        boolean clean = unreadable == 0 && outcomes[2] == 0 && outcomes[3] == 0;
        if (clean) {
            delete();
        }
        return new Replay(outcomes[0], outcomes[1], outcomes[2], unreadable, clean);
    }

    private List<String> lines() {
        try {
            if (!Files.exists(file)) {
                return List.of();
            }
            // Decoded leniently: a torn multi-byte character must not hide the lines before it.
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return text.lines().filter(line -> !line.isBlank()).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("share recovery journal cannot be read", unreadable);
        }
    }

    private void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException refused) {
            throw new UncheckedIOException("share recovery journal cannot be deleted", refused);
        }
    }

    private static Optional<PendingShare> parse(String line) {
        try {
            JsonNode row = JSON.readTree(line);
            JsonNode policy = row.path("credit_policy");
            return Optional.of(new PendingShare(
                    text(row, "share_id"),
                    text(row, "miner_id"),
                    text(row, "order_key"),
                    P2mrProgram.ofHex(text(row, "p2mr_program_hex")),
                    whole(row, "share_difficulty").bigIntegerValue(),
                    whole(row, "network_difficulty").bigIntegerValue(),
                    whole(row, "template_height").longValue(),
                    text(row, "job_id"),
                    whole(row, "job_issued_at_ms").longValue(),
                    whole(row, "accepted_at_ms").longValue(),
                    whole(row, "ntime").longValue(),
                    CreditPolicy.ofText(policy.isTextual() ? Optional.of(policy.asText()) : Optional.empty())));
        } catch (JsonProcessingException | IllegalArgumentException torn) {
            return Optional.empty();
        }
    }

    private static String text(JsonNode row, String field) {
        JsonNode value = row.path(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException(field + " is not a text");
        }
        return value.asText();
    }

    private static JsonNode whole(JsonNode row, String field) {
        JsonNode value = row.path(field);
        if (!value.isIntegralNumber()) {
            throw new IllegalArgumentException(field + " is not a whole number");
        }
        return value;
    }
}

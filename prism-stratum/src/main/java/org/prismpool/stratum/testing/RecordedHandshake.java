package org.prismpool.stratum.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The opening of a conversation as a firmware, a marketplace or a proxy holds it, up to its first share (spec 02 §10).
 * Immutable. The lines of a script:
 *
 * <ul>
 *   <li>{@code #} a comment;
 *   <li>{@code >} a line to send, in which {@code $USER}, {@code $JOB}, {@code $TIME} and {@code $NONCE} stand for the
 *       username, the newest job's id and time, and a nonce;
 *   <li>{@code <} the JSON id of the next response and a text that it must hold; the text {@code share} stands for any
 *       verdict on a well-formed share;
 *   <li>{@code job} wait for a difficulty and the job that follows it.
 * </ul>
 *
 * @param name of the client, as in the file name
 * @param script lines in order
 */
public record RecordedHandshake(String name, List<String> script) {

    private static final List<String> NAMES = List.of(
            "antminer",
            "braiins",
            "cgminer",
            "cpuminer",
            "esp-miner",
            "nerdminer",
            "nicehash",
            "odd-ids",
            "rental-proxy",
            "whatsminer");
    private static final String SHARE = "share";
    private static final String NONCE = "0badcafe";

    /** Copies the script. */
    public RecordedHandshake {
        script = List.copyOf(script);
    }

    /**
     * Returns the handshakes that come with this module.
     *
     * @return one for each client, by name
     */
    public static List<RecordedHandshake> all() {
        return NAMES.stream().map(RecordedHandshake::load).toList();
    }

    private static RecordedHandshake load(String name) {
        String file = "handshakes/" + name + ".txt";
        try (InputStream in = Objects.requireNonNull(RecordedHandshake.class.getResourceAsStream(file), file)) {
            return new RecordedHandshake(
                    name,
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Speaks the script to a server.
     *
     * @param client a connection on which nothing was said yet
     * @param username username that the server accepts
     * @return the newest job, or empty if the script waits for none
     * @throws IOException if the server closes the connection, does not answer in time, or answers otherwise
     */
    public Optional<MinerJob> replay(StratumTestClient client, String username) throws IOException {
        Optional<MinerJob> job = Optional.empty();
        for (String line : script) {
            if (line.startsWith("> ")) {
                client.sendLine(filled(line.substring(2), username, job));
            } else if (line.startsWith("< ")) {
                expect(client.nextResponse(), line.substring(2));
            } else if (line.equals("job")) {
                job = Optional.of(client.nextJob());
            }
        }
        return job;
    }

    private static String filled(String line, String user, Optional<MinerJob> job) {
        return line.replace("\\r", "\r")
                .replace("$USER", user)
                .replace("$JOB", job.map(MinerJob::jobId).orElse(""))
                .replace("$TIME", job.map(MinerJob::ntime).orElse(""))
                .replace("$NONCE", NONCE);
    }

    private void expect(String answer, String expected) throws IOException {
        int space = expected.startsWith("{") ? expected.indexOf("} ") + 1 : expected.indexOf(' ');
        String part = expected.substring(space + 1);
        boolean holds = part.equals(SHARE)
                ? StratumTestClient.isSuccess(answer) || answer.contains("low-difficulty")
                : answer.contains(part);
        if (!holds || !StratumTestClient.answers(answer, expected.substring(0, space))) {
            throw new IOException(name + ": expected " + expected + " but got " + answer);
        }
    }
}

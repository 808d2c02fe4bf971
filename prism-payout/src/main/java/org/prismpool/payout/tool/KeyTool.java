package org.prismpool.payout.tool;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.Set;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.signing.SigningSeed;

/** The key commands. Stateless; seeds are only ever written to a file or to standard output, where they were asked for. */
public final class KeyTool {

    private static final int MAX_SEED_INPUT = 1024;

    private KeyTool() {}

    /**
     * Generates a seed. With a file it is written there, readable by its owner only, and the public key is printed; without
     * one the seed is printed, and the public key goes to standard error.
     *
     * @param tool name that messages begin with
     * @param file a file that does not exist yet, or empty
     * @param random source of the seed
     * @param streams the streams
     * @return exit status
     */
    public static int generate(String tool, Optional<Path> file, SecureRandom random, ToolStreams streams) {
        return ToolRun.run(tool, streams, () -> {
            byte[] bytes = new byte[SigningSeed.SIZE];
            random.nextBytes(bytes);
            SigningSeed seed = SigningSeed.of(bytes);
            if (file.isPresent()) {
                write(file.get(), Hex.encode(bytes));
                ToolRun.line(streams, seed.publicKeyHex());
            } else {
                ToolRun.line(streams, Hex.encode(bytes));
                String line = "public key: " + seed.publicKeyHex() + "\n";
                streams.err().writeBytes(line.getBytes(StandardCharsets.US_ASCII));
            }
        });
    }

    /**
     * Prints the public key of a seed.
     *
     * @param tool name that messages begin with
     * @param file file that holds the seed, or empty for standard input
     * @param streams the streams
     * @return exit status
     */
    public static int publicKey(String tool, Optional<Path> file, ToolStreams streams) {
        return ToolRun.run(tool, streams, () -> {
            SigningSeed seed = file.isPresent()
                    ? SigningSeed.ofFile(file.get())
                    : SigningSeed.ofHex(
                            new String(streams.in().readNBytes(MAX_SEED_INPUT), StandardCharsets.US_ASCII).strip());
            ToolRun.line(streams, seed.publicKeyHex());
        });
    }

    /**
     * Proves that the trusted ledger key belongs to the attestation seed.
     *
     * @param tool name that messages begin with
     * @param ledgerWriterPublicKeyHex the trusted key
     * @param attestationSeedHex the seed
     * @param streams the streams
     * @return exit status
     */
    public static int check(
            String tool, String ledgerWriterPublicKeyHex, String attestationSeedHex, ToolStreams streams) {
        return ToolRun.run(tool, streams, () -> {
            String actual = SigningSeed.ofHex(attestationSeedHex).publicKeyHex();
            if (!Hex.equalsIgnoringAsciiCase(actual, ledgerWriterPublicKeyHex.strip())) {
                throw new ToolFailure("the attestation seed belongs to public key " + actual
                        + ", not to the trusted key " + ledgerWriterPublicKeyHex.strip());
            }
            ToolRun.line(streams, "ok: " + actual + " is the public key of the attestation seed");
        });
    }

    private static void write(Path file, String seedHex) throws IOException {
        FileAttribute<?> ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (SeekableByteChannel channel = Files.newByteChannel(
                        file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly);
                OutputStream out = Channels.newOutputStream(channel)) {
            out.write((seedHex + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (FileAlreadyExistsException e) {
            throw new ToolFailure("refusing to overwrite " + file);
        }
    }
}

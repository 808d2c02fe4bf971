package org.prismpool.app.devnode.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockLogTest {

    private static final int HEAD_SIZE = 9;

    @TempDir
    private Path directory;

    @Test
    void recordsComeBackInOrder() {
        write("first", "second");

        assertThat(texts()).containsExactly("first", "second");
    }

    @Test
    void aRecordCutShortAnywhereIsDroppedAndTheLogGoesOn() throws IOException {
        write("first", "second");
        byte[] whole = Files.readAllBytes(file());
        int second = HEAD_SIZE + 5;
        for (int length = second; length < whole.length; length++) {
            Files.write(file(), Arrays.copyOf(whole, length));

            assertThat(texts()).as("length %d", length).containsExactly("first");
            write("third");
            assertThat(texts()).as("length %d", length).containsExactly("first", "third");
        }
    }

    @Test
    void aLastRecordThatNeverReachedTheDiskWholeIsDropped() throws IOException {
        write("first", "second");
        byte[] bytes = Files.readAllBytes(file());
        Arrays.fill(bytes, bytes.length - 3, bytes.length, (byte) 0);
        Files.write(file(), bytes);

        assertThat(texts()).containsExactly("first");
    }

    @Test
    void aBrokenRecordInTheMiddleRefusesTheStart() throws IOException {
        write("first", "second");
        byte[] bytes = Files.readAllBytes(file());
        bytes[HEAD_SIZE] ^= 1;
        Files.write(file(), bytes);

        assertThatThrownBy(() -> BlockLog.open(file()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("broken at byte 0");
    }

    @Test
    void aSecondOpenerIsRefused() {
        try (BlockLog first = BlockLog.open(file())) {
            assertThat(first.recovered()).isEmpty();
            assertThatThrownBy(() -> BlockLog.open(file()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in use");
        }
    }

    private Path file() {
        return directory.resolve("test.log");
    }

    private void write(String... texts) {
        try (BlockLog log = BlockLog.open(file())) {
            for (String text : texts) {
                log.append('X', text.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private List<String> texts() {
        try (BlockLog log = BlockLog.open(file())) {
            return log.recovered().stream().map(BlockLog.Entry::text).toList();
        }
    }
}

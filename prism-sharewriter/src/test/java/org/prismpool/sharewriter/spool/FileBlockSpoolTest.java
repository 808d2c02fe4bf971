package org.prismpool.sharewriter.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.sharewriter.contract.Samples.hash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.sharewriter.spool.FileBlockSpool.SpooledBlock;

class FileBlockSpoolTest {

    @TempDir
    private Path directory;

    @Test
    void blocksAreListedByHashUntilRemoved() {
        FileBlockSpool spool = new FileBlockSpool(directory.resolve(FileBlockSpool.DIRECTORY));
        assertThat(spool.list()).isEmpty();
        spool.write(hash(0xbb).toUpperCase(Locale.ROOT), "{\"b\":1}");
        spool.write(hash(0xaa), "{\"a\":1}");
        spool.write(hash(0xaa), "{\"a\":2}");

        assertThat(spool.list())
                .isEqualTo(
                        List.of(new SpooledBlock(hash(0xaa), "{\"a\":2}"), new SpooledBlock(hash(0xbb), "{\"b\":1}")));
        spool.remove(hash(0xaa));
        spool.remove(hash(0xaa));
        assertThat(spool.size()).isEqualTo(1);
    }

    @Test
    void foreignAndHalfWrittenFilesAreLeftAlone() throws IOException {
        FileBlockSpool spool = new FileBlockSpool(directory);
        Files.writeString(directory.resolve(hash(1) + ".json.7.tmp"), "{");
        Files.writeString(directory.resolve("notes.json"), "{}");

        assertThat(spool.list()).isEmpty();
        assertThat(directory.resolve("notes.json")).exists();
    }

    @Test
    void anythingButAHashIsRefusedAsAName() {
        FileBlockSpool spool = new FileBlockSpool(directory);
        assertThatThrownBy(() -> spool.write("../x", "{}")).isInstanceOf(IllegalArgumentException.class);
    }
}

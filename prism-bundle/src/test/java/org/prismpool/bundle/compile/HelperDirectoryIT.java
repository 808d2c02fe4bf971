package org.prismpool.bundle.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class HelperDirectoryIT {

    @TempDir
    Path temp;

    @Test
    void aDirectoryIsReadableByItsUserOnlyAndGoesWithItsOwner() throws IOException {
        HelperDirectory directory = HelperDirectory.create(temp);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())))
                .isEqualTo("rwx------");
        directory.close();
        assertThat(directory.path()).doesNotExist();
    }

    @Test
    void theDirectoryOfALivingOwnerIsLeftAlone() {
        HelperDirectory mine = HelperDirectory.create(temp);

        HelperDirectory.Sweep sweep = HelperDirectory.sweep(temp);

        assertThat(sweep.removed()).isZero();
        assertThat(mine.path()).exists();
        mine.close();
    }

    @Test
    void anOrphanOfADeadOwnerIsKilledAndItsDirectoryRemoved() throws Exception {
        Process orphan = new ProcessBuilder("/bin/sleep", "60").start();
        Path directory = deadOwnersDirectory();
        Files.writeString(
                directory.resolve("helper-" + orphan.pid()),
                record(
                        orphan.pid(),
                        orphan.toHandle()
                                .info()
                                .startInstant()
                                .map(Instant::toString)
                                .orElse(""),
                        orphan.toHandle().info().command().orElse("")));

        HelperDirectory.Sweep sweep = HelperDirectory.sweep(temp);

        assertThat(sweep.removed()).isEqualTo(1);
        assertThat(sweep.killed()).isEqualTo(1);
        assertThat(orphan.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(directory).doesNotExist();
    }

    @Test
    void aRecycledProcessIdIsNotTouched() throws Exception {
        Process innocent = new ProcessBuilder("/bin/sleep", "60").start();
        Path directory = deadOwnersDirectory();
        Files.writeString(
                directory.resolve("helper-" + innocent.pid()),
                record(innocent.pid(), "2001-01-01T00:00:00Z", "/bin/other"));

        HelperDirectory.Sweep sweep = HelperDirectory.sweep(temp);

        assertThat(sweep.killed()).isZero();
        assertThat(innocent.isAlive()).isTrue();
        assertThat(directory).doesNotExist();
        innocent.destroyForcibly();
    }

    @Test
    void unknownFilesAreReportedAndLeftAlone() throws IOException {
        Path stranger = Files.createFile(temp.resolve("notes.txt"));

        HelperDirectory.Sweep sweep = HelperDirectory.sweep(temp);

        assertThat(sweep.left()).containsExactly(stranger);
        assertThat(stranger).exists();
    }

    @Test
    void aParentThatDoesNotExistHasNothingToSweep() {
        assertThat(HelperDirectory.sweep(temp.resolve("absent")).removed()).isZero();
    }

    private Path deadOwnersDirectory() throws IOException {
        Path directory = Files.createDirectory(temp.resolve("prism-helpers-1-0123abcd"));
        Files.writeString(directory.resolve("owner"), record(1, "1970-01-01T00:00:00Z", "/bin/none"));
        return directory;
    }

    private static String record(long pid, String startedAt, String command) {
        return pid + "\n" + startedAt + "\n" + command + "\n";
    }
}

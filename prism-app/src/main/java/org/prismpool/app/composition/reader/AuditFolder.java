package org.prismpool.app.composition.reader;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.publicapi.model.BundleBodies;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.HttpVariables;
import org.prismpool.payout.audit.AuditArtifact;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.sharewriter.block.AuditBundleRow;

/**
 * The coordinator's audit folder, or a copy of it, that is only read: no lock, no file of our own. Thread-safe.
 *
 * <p>A row names the coordinator's path. Only the file's name counts here, so the folder may lie elsewhere; who asks checks the
 * digest.
 */
public final class AuditFolder implements BundleBodies {

    private final Path folder;

    private AuditFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens the configured folder.
     *
     * @param e values of the public role, without errors
     * @return the folder
     * @throws StartFailure if it is no readable folder
     */
    public static AuditFolder open(Environment e) throws StartFailure {
        Path folder = Path.of(e.get(HttpVariables.AUDIT_DIR)).toAbsolutePath();
        if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
            throw new StartFailure("the audit folder " + folder + " cannot be read; check PRISM_AUDIT_DIR");
        }
        return new AuditFolder(folder);
    }

    @Override
    public AuditBundle bundle(AuditBundleRow.AuditBody body) {
        if (body instanceof AuditBundleRow.External file) {
            String name = Objects.toString(Path.of(file.uri()).getFileName(), "");
            return AuditArtifact.read(folder.resolve(name));
        }
        byte[] json = ((AuditBundleRow.Inline) body).json().getBytes(StandardCharsets.UTF_8);
        return AuditArtifact.read(new ByteArrayInputStream(json), folder);
    }
}

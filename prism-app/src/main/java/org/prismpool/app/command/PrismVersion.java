package org.prismpool.app.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Version of this build, written into the jar by the build. */
public final class PrismVersion implements IVersionProvider {

    /** Creates the provider. */
    public PrismVersion() {}

    @Override
    public String[] getVersion() {
        return new String[] {"prism " + version(), "Java " + System.getProperty("java.version")};
    }

    /**
     * Returns the version of this build.
     *
     * @return for example {@code 0.1.0}
     */
    public static String version() {
        try (InputStream in = PrismVersion.class.getResourceAsStream("/prism-version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException("the version resource of this jar cannot be read", e);
        }
    }
}

package org.prismpool.stratum;

import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.codec.NotifyFragment;
import org.prismpool.templates.chain.VersionLayout;
import org.prismpool.templates.job.WorkTemplate;

/**
 * Work that many connections get at once, with its notify parameters encoded once.
 *
 * <p>Thread-safe; make one for each published work and stamp all jobs from it.
 */
public final class SharedWork {

    private record Encoded(int version, NotifyFragment fragment) {}

    private final WorkTemplate template;
    private final WorkLabels labels;
    private volatile @Nullable Encoded encoded; // any thread may compute it, all results are equal

    /**
     * Creates shareable work.
     *
     * @param template the work
     * @param labels identities of its owners
     */
    public SharedWork(WorkTemplate template, WorkLabels labels) {
        this.template = template;
        this.labels = labels;
    }

    /**
     * Returns the work itself.
     *
     * @return the template that jobs are assembled from
     */
    public WorkTemplate template() {
        return template;
    }

    /**
     * Returns the identities that its owners gave it.
     *
     * @return the labels
     */
    public WorkLabels labels() {
        return labels;
    }

    /**
     * Returns the size of the coinbase that miners hash, without the extranonces.
     *
     * @return bytes of coinb1 and coinb2
     */
    public int coinbaseBytes() {
        return (template.coinbase().coinb1Hex().length()
                        + template.coinbase().coinb2Hex().length())
                / 2;
    }

    /**
     * Returns the notify parameters for a version.
     *
     * @param version version to advertise
     * @return the encoded parameters
     */
    public NotifyFragment fragment(int version) {
        Encoded known = encoded;
        if (known == null || known.version() != version) {
            known = new Encoded(version, encode(version));
            encoded = known;
        }
        return known.fragment();
    }

    private NotifyFragment encode(int version) {
        StringJoiner branch = new StringJoiner(", ", "[", "]");
        template.branchHex().forEach(sibling -> branch.add(quoted(sibling)));
        StringJoiner params = new StringJoiner(", ");
        params.add(quoted(template.prevhashHex()));
        params.add(quoted(template.coinbase().coinb1Hex()));
        params.add(quoted(template.coinbase().coinb2Hex()));
        params.add(branch.toString());
        params.add(quoted(VersionLayout.hex(version)));
        params.add(quoted(template.bitsHex()));
        params.add(quoted(template.ntimeHex()));
        return new NotifyFragment(params.toString());
    }

    private static String quoted(String hex) {
        return '"' + hex + '"';
    }
}

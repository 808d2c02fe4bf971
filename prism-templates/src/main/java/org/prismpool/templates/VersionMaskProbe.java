package org.prismpool.templates;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.VersionLayout;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the node once, before anything is opened, which version bits miners may roll (spec 01 §5.6 step 1). */
public final class VersionMaskProbe {

    private static final Logger LOG = LoggerFactory.getLogger(VersionMaskProbe.class);

    private VersionMaskProbe() {}

    /**
     * A mask and where it is from.
     *
     * @param mask bits that miners may roll; zero switches rolling off
     * @param source {@code node}, {@code fallback:missing_versionrollingmask}, or {@code fallback:probe_error:} and the method
     *     with the class of the failure
     */
    public record Probed(int mask, String source) {}

    /**
     * Asks for a template and reads its mask.
     *
     * @param node the node
     * @param network network of the node
     * @param fallback mask to use when the node does not answer or does not name one
     * @param deadline latest end
     * @return the mask; zero switches rolling off
     * @throws TemplateRefusedException if the node names a malformed mask: the process must not start
     */
    public static int ask(NodeRpc node, Network network, int fallback, Deadline deadline) {
        return probe(node, network, fallback, deadline).mask();
    }

    /**
     * Asks for a template and reads its mask, and remembers where the mask is from.
     *
     * @param node the node
     * @param network network of the node
     * @param fallback mask to use when the node does not answer or does not name one
     * @param deadline latest end
     * @return mask and source
     * @throws TemplateRefusedException if the node names a malformed mask: the process must not start
     */
    public static Probed probe(NodeRpc node, Network network, int fallback, Deadline deadline) {
        JsonNode field;
        try {
            field = node.getBlockTemplate(network.templateRules(), deadline).path("versionrollingmask");
        } catch (RpcException e) {
            LOG.atWarn()
                    .addKeyValue("failure", e.getMessage())
                    .addKeyValue("fallback", VersionLayout.hex(fallback))
                    .log("version mask probe failed; the configured mask is used");
            String failure = e.failure().getClass().getSimpleName();
            return new Probed(fallback, "fallback:probe_error:" + e.method().wireName() + ":" + failure);
        }
        return field.isMissingNode()
                ? new Probed(fallback, "fallback:missing_versionrollingmask")
                : new Probed(read(field).orElseThrow(VersionMaskProbe::malformed), "node");
    }

    private static Optional<Integer> read(JsonNode field) {
        if (field.isIntegralNumber() && field.canConvertToLong()) {
            long value = field.longValue();
            return value < 0 || value > 0xffffffffL ? Optional.empty() : Optional.of((int) value);
        }
        if (!field.isTextual()) {
            return Optional.empty();
        }
        try {
            return Optional.of(VersionLayout.parseMask(field.textValue()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static TemplateRefusedException malformed() {
        return new TemplateRefusedException("versionrollingmask is malformed");
    }
}

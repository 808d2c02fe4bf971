package org.prismpool.refresh;

import java.util.Objects;

/**
 * The five ports without which there is no refresh.
 *
 * @param chain the node's tip
 * @param templates the owner of templates
 * @param builder the owner of bundles
 * @param gate the payout state
 * @param fanout the owner of deliveries
 * @param <T> the template's type
 * @param <W> the bundle's type
 */
public record RefreshPorts<T, W>(
        ChainTip chain,
        TemplateFeed<T> templates,
        WorkBuilder<T, W> builder,
        PublicationGate gate,
        Fanout<T, W> fanout) {

    /** Checks the components. */
    public RefreshPorts {
        Objects.requireNonNull(chain, "chain");
        Objects.requireNonNull(templates, "templates");
        Objects.requireNonNull(builder, "builder");
        Objects.requireNonNull(gate, "gate");
        Objects.requireNonNull(fanout, "fanout");
    }
}

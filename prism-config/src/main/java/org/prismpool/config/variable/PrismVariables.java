package org.prismpool.config.variable;

import static org.prismpool.config.variable.TextParsers.text;
import static org.prismpool.config.variable.Variable.named;

import java.util.List;
import java.util.stream.Stream;

/** All variables of the coordinator. Source: spec 01 §1, §1.5. */
public final class PrismVariables {

    private PrismVariables() {}

    /**
     * Returns the groups in documented order.
     *
     * @return one group per area
     */
    public static List<VariableRegistry.Group> groups() {
        return List.of(
                NodeVariables.group(),
                StratumVariables.group(),
                DifficultyVariables.group(),
                DeliveryVariables.group(),
                RefreshVariables.group(),
                BundleVariables.group(),
                PayoutVariables.group(),
                CtvVariables.group(),
                BlockVariables.group(),
                LedgerVariables.group(),
                ShareWriterVariables.group(),
                HttpVariables.group(),
                LifecycleVariables.group(),
                PublicApiVariables.group(),
                reserved());
    }

    private static VariableRegistry.Group reserved() {
        List<Variable<?>> names = Stream.of(
                        "PRISM_WINDOW_PIPELINE_RUST",
                        "PRISM_PYTHON_SWITCH_INTERVAL_SECONDS",
                        "PRISM_AUDIT_CANONICAL_BACKFILL_BATCH_SIZE")
                .<Variable<?>>map(name -> named(name, text())
                        .emptyIsUnset()
                        .withoutEffect()
                        .owner("config")
                        .doc("Name of another implementation, accepted without effect."))
                .toList();
        return new VariableRegistry.Group("Reserved names", names);
    }
}

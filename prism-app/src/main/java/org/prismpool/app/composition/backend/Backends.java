package org.prismpool.app.composition.backend;

import java.util.function.UnaryOperator;
import org.prismpool.bundle.compile.BundleCompiler;
import org.prismpool.sharewriter.Ledger;

/**
 * What a host program puts around the backends that the environment names, such as injected latencies.
 *
 * @param ledger given the opened ledger, whose lease is held; what it returns is used
 * @param compiler given the configured bundle compiler; what it returns is used, and closing it closes the given one
 */
public record Backends(UnaryOperator<Ledger> ledger, UnaryOperator<BundleCompiler> compiler) {

    /** Uses the backends as they are configured. */
    public static final Backends AS_CONFIGURED = new Backends(UnaryOperator.identity(), UnaryOperator.identity());
}

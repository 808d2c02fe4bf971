package org.prismpool.config.variable;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What follows from the name of the chain. Source: spec 01 §5.6. */
public final class Chains {

    private static final String TEST_FALLBACK = "tq1zlsq9dpxz8mennhdpr9nf9s0f2tjtq6gxs9m84k6xglhkfp92q2zszzu4m3";
    private static final Set<String> WITH_FALLBACK = Set.of("testnet", "testnet3", "testnet4", "signet", "test");

    private Chains() {}

    /**
     * Tells whether a chain name means the main network, which is always in production mode.
     *
     * @param chain value of {@code QBIT_CHAIN}
     * @return true for {@code main} and {@code mainnet}
     */
    public static boolean isMainnet(String chain) {
        String name = chain.toLowerCase(Locale.ROOT);
        return name.equals("main") || name.equals("mainnet");
    }

    /**
     * Returns the built-in payout address for user names that are no address.
     *
     * @param chain value of {@code QBIT_CHAIN}
     * @return the address on test networks, empty on the main network and regtest
     */
    static Optional<String> fallbackAddress(String chain) {
        return WITH_FALLBACK.contains(chain.toLowerCase(Locale.ROOT)) ? Optional.of(TEST_FALLBACK) : Optional.empty();
    }
}

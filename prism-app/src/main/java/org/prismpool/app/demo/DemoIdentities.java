package org.prismpool.app.demo;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/** Keys and addresses of a demo, all derived from its seed. Worth nothing outside of it. */
final class DemoIdentities {

    private final long seed;

    DemoIdentities(long seed) {
        this.seed = seed;
    }

    SigningSeed manifestKey() {
        return SigningSeed.of(derived("manifest"));
    }

    String manifestSeedHex() {
        return HexFormat.of().formatHex(derived("manifest"));
    }

    SigningSeed ledgerKey() {
        return SigningSeed.of(derived("ledger"));
    }

    String ledgerSeedHex() {
        return HexFormat.of().formatHex(derived("ledger"));
    }

    /** Payout address of a miner, counted from 1. */
    P2mrAddress miner(int number) {
        return P2mrAddress.of(Network.REGTEST, derived("miner-" + number));
    }

    private byte[] derived(String purpose) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(("prism-demo:" + seed + ":" + purpose).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}

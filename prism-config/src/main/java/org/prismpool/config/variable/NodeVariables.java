package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.bool;
import static org.prismpool.config.variable.TextParsers.hex32;
import static org.prismpool.config.variable.TextParsers.host;
import static org.prismpool.config.variable.TextParsers.oneOf;
import static org.prismpool.config.variable.TextParsers.path;
import static org.prismpool.config.variable.TextParsers.secret;
import static org.prismpool.config.variable.TextParsers.text;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Node, chain and deployment mode", in documented order. Source: spec 01 §1. */
public final class NodeVariables {

    /** Host name or address of the qbit node's RPC server. */
    public static final Variable<String> QBIT_RPC_HOST = named("QBIT_RPC_HOST", host())
            .required()
            .packaged("qbitd")
            .owner("templates (node RPC)")
            .doc("Host name or address of the qbit node's RPC server.");

    /** Node RPC port. */
    public static final Variable<Integer> QBIT_RPC_PORT = named("QBIT_RPC_PORT", int32(1, 65535, "port"))
            .byDefault("18452")
            .owner("templates (node RPC)")
            .doc(
                    "Node RPC port. The default is the regtest port whatever QBIT_CHAIN says; node defaults: main 8352, test 18352, testnet4 48352, signet 38352, regtest 18452.");

    /** Basic-auth user. */
    public static final Variable<String> QBIT_RPC_USER = named("QBIT_RPC_USER", text())
            .packaged("qbitrpc")
            .owner("templates (node RPC)")
            .doc("Basic-auth user. Production: required. Not required when PRISM_QBIT_RPC_COOKIE_FILE is set.");

    /** Basic-auth password. */
    public static final Variable<Secret> QBIT_RPC_PASSWORD = named("QBIT_RPC_PASSWORD", secret())
            .secret()
            .packaged("change-this")
            .owner("templates (node RPC)")
            .doc(
                    "Basic-auth password. Production: required and not equal to change-this. Not required when PRISM_QBIT_RPC_COOKIE_FILE is set.");

    /** Default wall-clock budget of one RPC call (all attempts together) when the caller gives none. */
    public static final Variable<Duration> QBIT_RPC_TIMEOUT_SECONDS = named(
                    "PRISM_QBIT_RPC_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("10")
            .owner("templates (node RPC)")
            .doc(
                    "Default wall-clock budget of one RPC call (all attempts together) when the caller gives none. Feeds the lease-authority margin (L1).");

    /** Expected chain. */
    public static final Variable<String> QBIT_CHAIN = named(
                    "QBIT_CHAIN",
                    oneOf(false, "regtest", "main", "mainnet", "test", "testnet", "testnet3", "testnet4", "signet"))
            .byDefault("regtest")
            .owner("config; templates, stratum, app")
            .doc(
                    "Expected chain. Selects production gate (main/mainnet), GBT rule signet, public-chain gates (everything but regtest), default fallback address. main and mainnet are one chain, as are test, testnet and testnet3.");

    /** Block hash at height 0 that the node must report. */
    public static final Variable<String> QBIT_EXPECTED_GENESIS_HASH = named("QBIT_EXPECTED_GENESIS_HASH", hex32())
            .emptyIsUnset()
            .owner("templates (chain gate)")
            .doc("Block hash at height 0 that the node must report. Mainnet: required.");

    /** Turns production mode on. */
    public static final Variable<Boolean> QBIT_PRODUCTION =
            named("QBIT_PRODUCTION", bool()).byDefault("0").owner("config").doc("Turns production mode on.");

    /** Alias switch. */
    public static final Variable<Boolean> QBIT_TOOLS_PRODUCTION = named("QBIT_TOOLS_PRODUCTION", bool())
            .byDefault("0")
            .owner("config")
            .doc("Alias switch; production mode is the OR of both flags and of QBIT_CHAIN ∈ {main, mainnet}.");

    /** Minimum getnetworkinfo.connections at the public-chain startup gate. */
    public static final Variable<Integer> MIN_PEERS = named("PRISM_MIN_PEERS", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("1")
            .owner("templates (chain gate)")
            .doc("Minimum getnetworkinfo.connections at the public-chain startup gate.");

    /** RPC credentials from the node's .cookie file. */
    public static final Variable<String> QBIT_RPC_COOKIE_FILE = named("PRISM_QBIT_RPC_COOKIE_FILE", path())
            .emptyIsUnset()
            .owner("templates (node RPC)")
            .doc(
                    "RPC credentials from the node's .cookie file; exclusive with user and password; re-read once after a 401.");

    private NodeVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Node, chain and deployment mode",
                List.of(
                        QBIT_RPC_HOST,
                        QBIT_RPC_PORT,
                        QBIT_RPC_USER,
                        QBIT_RPC_PASSWORD,
                        QBIT_RPC_TIMEOUT_SECONDS,
                        QBIT_CHAIN,
                        QBIT_EXPECTED_GENESIS_HASH,
                        QBIT_PRODUCTION,
                        QBIT_TOOLS_PRODUCTION,
                        MIN_PEERS,
                        QBIT_RPC_COOKIE_FILE));
    }
}

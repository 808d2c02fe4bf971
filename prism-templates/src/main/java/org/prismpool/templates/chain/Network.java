package org.prismpool.templates.chain;

import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.Immutable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The chain's networks with the facts that a pool needs (spec 03 §1.1 and §1.2). */
public enum Network {
    /** The main chain. */
    MAINNET(
            new Names("main", "qb", ImmutableSet.of("main", "mainnet")),
            new Ports(8352, 8355, "444f24a8"),
            GenesisBlocks.MAINNET,
            new Rules(launchLimit(), 43_200, 0, 47)),
    /** The public test chain. */
    TESTNET4(
            new Names("testnet4", "tq", ImmutableSet.of("testnet4")),
            new Ports(48352, 48355, "c7c41640"),
            GenesisBlocks.TESTNET4,
            new Rules(launchLimit(), 43_200, 60_000, 31_430)),
    /** The test chain whose blocks a challenge may sign. */
    SIGNET(
            new Names("signet", "tq", ImmutableSet.of("signet")),
            new Ports(38352, 38355, "54d26fbd"),
            GenesisBlocks.SIGNET,
            new Rules(launchLimit(), 43_200, 0, 31_430)),
    /** The private test chain. */
    REGTEST(
            new Names("regtest", "qbrt", ImmutableSet.of("regtest")),
            new Ports(18452, 18460, "a66b1fda"),
            GenesisBlocks.REGTEST,
            new Rules("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 150, 0, 31_430)),
    /** The legacy test chain; a node calls it {@code test}. */
    TESTNET3(
            new Names("test", "tq", ImmutableSet.of("test", "testnet", "testnet3")),
            new Ports(18352, 18355, "c3d30a67"),
            GenesisBlocks.TESTNET3,
            new Rules(launchLimit(), 43_200, 0, 31_430));

    /** Confirmations after which a coinbase may be spent. */
    public static final int COINBASE_MATURITY = 1_000;

    /** Largest weight of a block, which on this chain is its serialized size with witness. */
    public static final int MAX_BLOCK_WEIGHT = 2_000_000;

    /** Largest signature-operation cost of a block. */
    public static final int MAX_SIGOPS_COST = 80_000;

    /** Longest scriptSig of a coinbase. */
    public static final int MAX_COINBASE_SCRIPT_SIG = 100;

    /** Base units in one coin. */
    public static final long SATS_PER_COIN = 100_000_000L;

    /** Subsidy of the first blocks, in base units. */
    public static final long INITIAL_SUBSIDY_SATS = 210 * SATS_PER_COIN;

    private static final int FUTURE_LIMIT_SECONDS = 600;
    private static final int EARLY_FUTURE_LIMIT_SECONDS = 7_200;
    private static final long SUBSIDY_STEP_NUMERATOR = 598;
    private static final long SUBSIDY_STEP_DENOMINATOR = 625;

    private final Names names;
    private final Ports ports;
    private final GenesisBlocks genesis;
    private final Rules rules;

    Network(Names names, Ports ports, GenesisBlocks genesis, Rules rules) {
        this.names = names;
        this.ports = ports;
        this.genesis = genesis;
        this.rules = rules;
    }

    /**
     * Finds a network by a name that configuration or a node uses; surrounding space and case do not matter.
     *
     * @param name for example {@code main}, {@code mainnet}, {@code testnet3}
     * @return the network, or empty for an unknown name
     */
    public static Optional<Network> ofName(String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(network -> network.names.accepted.contains(wanted))
                .findFirst();
    }

    /**
     * Returns the name that a node reports.
     *
     * @return value of {@code getblockchaininfo.chain}
     */
    public String chainName() {
        return names.chain;
    }

    /**
     * Returns the prefix of addresses.
     *
     * @return human-readable part of bech32m
     */
    public String hrp() {
        return names.hrp;
    }

    /**
     * Returns the node's usual RPC port.
     *
     * @return TCP port
     */
    public int rpcPort() {
        return ports.rpc;
    }

    /**
     * Returns the node's usual peer-to-peer port.
     *
     * @return TCP port
     */
    public int p2pPort() {
        return ports.p2p;
    }

    /**
     * Returns the magic of peer-to-peer messages (signet: of the default challenge).
     *
     * @return eight hex digits in wire order
     */
    public String p2pMagicHex() {
        return ports.magicHex;
    }

    /**
     * Tells whether the checks for public chains apply.
     *
     * @return false on regtest only
     */
    public boolean isPublic() {
        return this != REGTEST;
    }

    /**
     * Tells whether only P2MR and data outputs are allowed by default.
     *
     * @return false on regtest only
     */
    public boolean restrictsOutputs() {
        return this != REGTEST;
    }

    /**
     * Returns the rules that a template request names.
     *
     * @return {@code segwit}, on signet also {@code signet}
     */
    public List<String> templateRules() {
        return this == SIGNET ? List.of("segwit", "signet") : List.of("segwit");
    }

    /**
     * Returns the header of the first block.
     *
     * @return the header, rebuilt from its fields
     */
    public BlockHeader genesisHeader() {
        return genesis.header();
    }

    /**
     * Returns the only transaction of the first block.
     *
     * @return the coinbase
     */
    public Transaction genesisTransaction() {
        return genesis.coinbase();
    }

    /**
     * Returns the hash of the first block.
     *
     * @return hash of the genesis header
     */
    public Hash256 genesisHash() {
        return genesis.header().hash();
    }

    /**
     * Returns the easiest target of the network.
     *
     * @return the proof-of-work limit
     */
    public Target powLimit() {
        return Target.ofHex(rules.powLimitHex);
    }

    /**
     * Returns the distance between two subsidy steps.
     *
     * @return blocks
     */
    public int subsidyInterval() {
        return rules.subsidyInterval;
    }

    /**
     * Returns how far a block time may lie ahead of the node's clock.
     *
     * @param height height of the block
     * @return seconds
     */
    public int futureTimeLimitSeconds(long height) {
        return height < rules.earlyRulesBelow ? EARLY_FUTURE_LIMIT_SECONDS : FUTURE_LIMIT_SECONDS;
    }

    /**
     * Returns the chain id of merged-mined blocks.
     *
     * @return 0 to 65535
     */
    public int auxPowChainId() {
        return rules.auxPowChainId;
    }

    /**
     * Returns the subsidy of a block. It is stepped: each interval multiplies by 598/625 and cuts to a whole unit.
     *
     * @param height zero or more
     * @return base units
     * @throws IllegalArgumentException if negative
     */
    public long subsidySats(long height) {
        if (height < 0) {
            throw new IllegalArgumentException("a height is not negative: " + height);
        }
        long subsidy = INITIAL_SUBSIDY_SATS;
        // The floor is taken at each step; it reaches zero after a few hundred, which ends the loop early.
        for (long step = height / rules.subsidyInterval; step > 0 && subsidy > 0; step--) {
            subsidy = subsidy * SUBSIDY_STEP_NUMERATOR / SUBSIDY_STEP_DENOMINATOR;
        }
        return subsidy;
    }

    private static String launchLimit() {
        return "0000ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
    }

    @Immutable
    private record Names(String chain, String hrp, ImmutableSet<String> accepted) {}

    @Immutable
    private record Ports(int rpc, int p2p, String magicHex) {}

    @Immutable
    private record Rules(String powLimitHex, int subsidyInterval, int earlyRulesBelow, int auxPowChainId) {}
}

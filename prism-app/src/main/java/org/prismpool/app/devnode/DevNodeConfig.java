package org.prismpool.app.devnode;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.prismpool.app.devnode.chain.ChainRules;
import org.prismpool.app.devnode.chain.DifficultyMode;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Network;

/**
 * Settings of a development node; start from {@link #forTests} or {@link #forDemo} and change what differs.
 *
 * @param rules network, difficulty and the switchable rules of the chain
 * @param rejectTrailingBytes whether bytes after the last transaction of a block are refused; a real node ignores them
 * @param templateHoldSeconds age, in seconds, that a template must have before a change of the mempool alone replaces it;
 *     0 replaces it at once, a real node uses 5
 * @param freshBlockAtStart whether a block is mined at the start when the tip is older than 24 hours, as a chain of only
 *     the genesis block is: a pool does not trust an old tip
 * @param dataDirectory where the chain is kept; empty keeps it in memory only
 * @param wallClock the time that blocks are judged by
 * @param monotonicClock stamps the recorder's entries
 */
public record DevNodeConfig(
        ChainRules rules,
        boolean rejectTrailingBytes,
        long templateHoldSeconds,
        boolean freshBlockAtStart,
        Optional<Path> dataDirectory,
        InstantSource wallClock,
        MonotonicClock monotonicClock) {

    /** Checks the ranges. */
    public DevNodeConfig {
        if (templateHoldSeconds < 0) {
            throw new IllegalArgumentException("templateHoldSeconds must not be negative");
        }
    }

    /**
     * Returns settings for unit tests: regtest with two hashes per block, restricted outputs, in memory, starting at the
     * genesis block.
     *
     * @return the settings
     */
    public static DevNodeConfig forTests() {
        ChainRules rules = new ChainRules(Network.REGTEST, DifficultyMode.regtest(), true, Network.COINBASE_MATURITY);
        return new DevNodeConfig(
                rules, true, 0, false, Optional.empty(), InstantSource.system(), MonotonicClock.system());
    }

    /**
     * Returns settings for a demo: like {@link #forTests}, but with a difficulty that takes a CPU some seconds per block,
     * and with one fresh block mined at the start.
     *
     * @return the settings
     */
    public static DevNodeConfig forDemo() {
        return forTests().withDifficulty(DifficultyMode.demo()).withFreshBlockAtStart(true);
    }

    /**
     * Returns a copy with another difficulty mode.
     *
     * @param mode decides the bits of the next block
     * @return the copy
     */
    public DevNodeConfig withDifficulty(DifficultyMode mode) {
        return withRules(new ChainRules(rules.network(), mode, rules.restrictedOutputs(), rules.coinbaseMaturity()));
    }

    /**
     * Returns a copy for another network: its genesis block, addresses, subsidy and proof-of-work limit.
     *
     * @param network the network
     * @return the copy
     */
    public DevNodeConfig withNetwork(Network network) {
        return withRules(
                new ChainRules(network, rules.difficulty(), rules.restrictedOutputs(), rules.coinbaseMaturity()));
    }

    /**
     * Returns a copy with output restrictions on or off.
     *
     * @param restricted whether only P2MR and the other allowed scripts may be paid
     * @return the copy
     */
    public DevNodeConfig withRestrictedOutputs(boolean restricted) {
        return withRules(new ChainRules(rules.network(), rules.difficulty(), restricted, rules.coinbaseMaturity()));
    }

    /**
     * Returns a copy with another coinbase maturity.
     *
     * @param blocks confirmations before a coinbase may be spent
     * @return the copy
     */
    public DevNodeConfig withCoinbaseMaturity(int blocks) {
        return withRules(new ChainRules(rules.network(), rules.difficulty(), rules.restrictedOutputs(), blocks));
    }

    /**
     * Returns a copy with other chain parameters.
     *
     * @param value the parameters
     * @return the copy
     */
    public DevNodeConfig withRules(ChainRules value) {
        return new DevNodeConfig(
                value,
                rejectTrailingBytes,
                templateHoldSeconds,
                freshBlockAtStart,
                dataDirectory,
                wallClock,
                monotonicClock);
    }

    /**
     * Returns a copy that refuses or ignores trailing bytes.
     *
     * @param value whether to refuse them
     * @return the copy
     */
    public DevNodeConfig withRejectTrailingBytes(boolean value) {
        return new DevNodeConfig(
                rules, value, templateHoldSeconds, freshBlockAtStart, dataDirectory, wallClock, monotonicClock);
    }

    /**
     * Returns a copy with another template age.
     *
     * @param seconds see {@link #templateHoldSeconds}
     * @return the copy
     */
    public DevNodeConfig withTemplateHoldSeconds(long seconds) {
        return new DevNodeConfig(
                rules, rejectTrailingBytes, seconds, freshBlockAtStart, dataDirectory, wallClock, monotonicClock);
    }

    /**
     * Returns a copy that mines a block at the start or does not.
     *
     * @param value see {@link #freshBlockAtStart}
     * @return the copy
     */
    public DevNodeConfig withFreshBlockAtStart(boolean value) {
        return new DevNodeConfig(
                rules, rejectTrailingBytes, templateHoldSeconds, value, dataDirectory, wallClock, monotonicClock);
    }

    /**
     * Returns a copy that keeps its chain in a directory.
     *
     * @param directory created when missing; used by one node at a time
     * @return the copy
     */
    public DevNodeConfig withDataDirectory(Path directory) {
        return new DevNodeConfig(
                rules,
                rejectTrailingBytes,
                templateHoldSeconds,
                freshBlockAtStart,
                Optional.of(directory),
                wallClock,
                monotonicClock);
    }

    /**
     * Returns a copy with another wall clock.
     *
     * @param clock the time that blocks are judged by
     * @return the copy
     */
    public DevNodeConfig withWallClock(InstantSource clock) {
        return new DevNodeConfig(
                rules,
                rejectTrailingBytes,
                templateHoldSeconds,
                freshBlockAtStart,
                dataDirectory,
                clock,
                monotonicClock);
    }
}

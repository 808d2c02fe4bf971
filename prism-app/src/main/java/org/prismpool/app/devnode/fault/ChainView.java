package org.prismpool.app.devnode.fault;

import java.math.BigDecimal;
import java.util.Optional;
import org.prismpool.templates.chain.Hash256;

/**
 * What the node says about itself, apart from its blocks. The defaults are a healthy node.
 *
 * @param initialDownload how {@code initialblockdownload} is answered
 * @param headersAhead by how much {@code headers} exceeds {@code blocks}
 * @param connections number of peers
 * @param chainName name of the chain instead of the network's own
 * @param genesis hash of block 0 instead of the real one
 * @param feeRate fee rate that {@code estimatesmartfee} answers, in coins per 1000 bytes; empty answers that there is no
 *     data, as a fresh node does
 */
public record ChainView(
        InitialDownload initialDownload,
        int headersAhead,
        int connections,
        Optional<String> chainName,
        Optional<Hash256> genesis,
        Optional<BigDecimal> feeRate) {

    /** Age above which a tip shows that the chain is not complete yet: 24 hours. */
    public static final long OLD_TIP_SECONDS = 24 * 60 * 60;

    /** How {@code initialblockdownload} is answered. */
    public enum InitialDownload {
        /** Always false. */
        NO,
        /** Always true. */
        YES,
        /** True while the tip is older than 24 hours, as a real node answers. */
        BY_TIP_AGE
    }

    /**
     * Decides what {@code initialblockdownload} says.
     *
     * @param tipSeconds block time of the tip
     * @param nowSeconds the node's clock
     * @return the answer
     */
    public boolean isDownloading(long tipSeconds, long nowSeconds) {
        return switch (initialDownload) {
            case NO -> false;
            case YES -> true;
            case BY_TIP_AGE -> tipSeconds < nowSeconds - OLD_TIP_SECONDS;
        };
    }

    /**
     * Returns the view of a healthy node with no peers to wait for.
     *
     * @return the defaults: no initial download, headers equal to blocks, 8 connections
     */
    public static ChainView healthy() {
        return new ChainView(InitialDownload.NO, 0, 8, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Returns a copy with another answer to {@code initialblockdownload}.
     *
     * @param value how to answer
     * @return the copy
     */
    public ChainView withInitialDownload(InitialDownload value) {
        return new ChainView(value, headersAhead, connections, chainName, genesis, feeRate);
    }

    /**
     * Returns a copy with other headers.
     *
     * @param value by how much headers exceed blocks
     * @return the copy
     */
    public ChainView withHeadersAhead(int value) {
        return new ChainView(initialDownload, value, connections, chainName, genesis, feeRate);
    }

    /**
     * Returns a copy with another number of peers.
     *
     * @param value number of connections
     * @return the copy
     */
    public ChainView withConnections(int value) {
        return new ChainView(initialDownload, headersAhead, value, chainName, genesis, feeRate);
    }

    /**
     * Returns a copy with another chain name.
     *
     * @param value name to report
     * @return the copy
     */
    public ChainView withChainName(String value) {
        return new ChainView(initialDownload, headersAhead, connections, Optional.of(value), genesis, feeRate);
    }

    /**
     * Returns a copy with another genesis hash.
     *
     * @param value hash to report for block 0
     * @return the copy
     */
    public ChainView withGenesis(Hash256 value) {
        return new ChainView(initialDownload, headersAhead, connections, chainName, Optional.of(value), feeRate);
    }

    /**
     * Returns a copy with a fee estimate.
     *
     * @param value coins per 1000 bytes
     * @return the copy
     */
    public ChainView withFeeRate(BigDecimal value) {
        return new ChainView(initialDownload, headersAhead, connections, chainName, genesis, Optional.of(value));
    }
}

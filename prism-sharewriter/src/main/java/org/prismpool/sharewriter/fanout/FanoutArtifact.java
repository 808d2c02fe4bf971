package org.prismpool.sharewriter.fanout;

import java.util.OptionalInt;

/**
 * One fanout transaction of a set, as it was built.
 *
 * @param fanoutTxid id of the transaction
 * @param manifestJson canonical text of its manifest
 * @param manifestSha256 digest of that text
 * @param precommitmentSha256 digest of its precommitment
 * @param ctvHash template hash that its parent output commits to
 * @param commitmentWitnessLeafHex leaf of the block's witness commitment
 * @param chunkIndex place in the set, from 0
 * @param parentCoinbaseVout output of the coinbase that it spends
 * @param txTemplateHex transaction without witness
 * @param txHex complete transaction
 * @param anchorVout fee anchor output, empty with a built-in fee
 * @param covenantOutputValueSats value that it spends
 * @param fanoutOutputSumSats sum of its outputs
 */
public record FanoutArtifact(
        String fanoutTxid,
        String manifestJson,
        String manifestSha256,
        String precommitmentSha256,
        String ctvHash,
        String commitmentWitnessLeafHex,
        int chunkIndex,
        int parentCoinbaseVout,
        String txTemplateHex,
        String txHex,
        OptionalInt anchorVout,
        long covenantOutputValueSats,
        long fanoutOutputSumSats) {}

package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class BlockTest {

    private static final String COINBASE = Network.REGTEST.genesisTransaction().hex();
    private static final String PLAIN =
            Hex.encode(Network.REGTEST.genesisHeader().bytes()) + "01" + COINBASE;

    @Test
    void aPlainBlockIsHeaderAndTransactions() {
        Block block = Block.parse(Hex.decode(PLAIN));
        assertThat(block.hash()).isEqualTo(Network.REGTEST.genesisHash());
        assertThat(block.transactions()).containsExactly(Network.REGTEST.genesisTransaction());
    }

    @Test
    void theMergedMiningPayloadIsPassedOver() {
        BlockHeader genesis = Network.REGTEST.genesisHeader();
        BlockHeader merged = new BlockHeader(
                VersionLayout.auxPow(31_430, 0),
                genesis.parent(),
                genesis.merkleRoot(),
                genesis.time(),
                genesis.bits(),
                genesis.nonce());
        String branch = "02" + "aa".repeat(32) + "bb".repeat(32) + "00000000";
        String chainBranch = "00" + "07000000";
        String parentHeader = "cc".repeat(80);
        Block block = Block.parse(Hex.decode(
                Hex.encode(merged.bytes()) + COINBASE + branch + chainBranch + parentHeader + "01" + COINBASE));
        assertThat(block.hash()).isEqualTo(merged.hash());
        assertThat(block.transactions()).hasSize(1);
    }

    @Test
    void trailingBytesAndTruncationsAreRefused() {
        assertThatExceptionOfType(MalformedBytesException.class)
                .isThrownBy(() -> Block.parse(Hex.decode(PLAIN + "00")));
        for (int digits = 0; digits < PLAIN.length(); digits += 2) {
            byte[] cut = Hex.decode(PLAIN.substring(0, digits));
            assertThatExceptionOfType(MalformedBytesException.class).isThrownBy(() -> Block.parse(cut));
        }
    }
}

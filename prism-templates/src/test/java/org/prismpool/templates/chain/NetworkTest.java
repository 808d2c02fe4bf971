package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkTest {

    @ParameterizedTest
    @CsvSource({
        "MAINNET,  0000000000004d60aa5d46013991d0a0e2995d89ee98e53068ae196d763e79f2, 584b62d357e3213ae27815d53b41efc869cc91fcf73d6a81dcab5e08508cb6f1",
        "TESTNET4, 000000000000796fe86bbc0bf1b66a07e4b4c0676f74b54cf7e5ce8b3f1a0090, 66bf018c3377135cdc87f66ed4926b6a3be5aeef890841a3cfebaff9dfb91ed0",
        "SIGNET,   0000000a5698c727f05cbdaeaff3e48b48ab187aeb03414e783ea81fed14d65c, 773941c57f540b7e0f841db6de90bf4f29d305d8233224c2581025c684387313",
        "REGTEST,  0ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6, 773941c57f540b7e0f841db6de90bf4f29d305d8233224c2581025c684387313",
        "TESTNET3, 0000c20791706c6940a43d75db44d1ae9dadeb637cedfbaa5cf293435eeaab3c, 773941c57f540b7e0f841db6de90bf4f29d305d8233224c2581025c684387313"
    })
    void rebuildsTheGenesisBlock(Network network, String hash, String merkleRoot) {
        assertThat(network.genesisHash().displayHex()).isEqualTo(hash);
        assertThat(network.genesisHeader().merkleRoot().displayHex()).isEqualTo(merkleRoot);
        assertThat(CompactTarget.ofBits(network.genesisHeader().bits()).target().isMetBy(network.genesisHash()))
                .isTrue();
    }

    @Test
    void theRegtestGenesisBlockHasTheDocumentedBytes() {
        assertThat(Hex.encode(Network.REGTEST.genesisHeader().bytes()))
                .isEqualTo("0100000000000000000000000000000000000000000000000000000000000000000000001373"
                        + "3884c6251058c2243223d805d3294fbf90deb61d840f7e0b547fc541397702aaa267ffff7f2001000000");
        assertThat(Network.REGTEST.genesisTransaction().hex())
                .isEqualTo("01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff3e"
                        + "04ffff001d010436716269742f76302e3120646576656c6f706d656e742067656e65736973202d206e6f7420666f"
                        + "722070726f64756374696f6e20757365ffffffff010092b2e3040000002321"
                        + "00".repeat(33)
                        + "ac00000000");
    }

    @ParameterizedTest
    @CsvSource({
        "MAINNET, 0, 21000000000",
        "MAINNET, 1, 21000000000",
        "MAINNET, 43199, 21000000000",
        "MAINNET, 43200, 20092800000",
        "MAINNET, 86400, 19224791040",
        "MAINNET, 129600, 18394280067",
        "MAINNET, 432000, 13503021560",
        "MAINNET, 4320000, 253709039",
        "REGTEST, 149, 21000000000",
        "REGTEST, 150, 20092800000",
        "REGTEST, 300, 19224791040",
        "REGTEST, 450, 18394280067",
        "REGTEST, 1500, 13503021560",
        "REGTEST, 4294967295, 0"
    })
    void theSubsidyIsCutAtEachStep(Network network, long height, long subsidySats) {
        assertThat(network.subsidySats(height)).isEqualTo(subsidySats);
    }

    @ParameterizedTest
    @CsvSource({
        "main, MAINNET",
        "mainnet, MAINNET",
        "' Signet ', SIGNET",
        "regtest, REGTEST",
        "test, TESTNET3",
        "testnet, TESTNET3",
        "testnet3, TESTNET3",
        "testnet4, TESTNET4"
    })
    void oneChainHasSeveralNames(String name, Network network) {
        assertThat(Network.ofName(name)).contains(network);
    }

    @Test
    void anUnknownChainNameIsNotGuessed() {
        assertThat(Network.ofName("testnet5")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"MAINNET, 0, 600", "TESTNET4, 59999, 7200", "TESTNET4, 60000, 600", "REGTEST, 1, 600"})
    void theFutureLimitOfTestnet4ShrinksWithHeight(Network network, long height, int seconds) {
        assertThat(network.futureTimeLimitSeconds(height)).isEqualTo(seconds);
    }
}

package org.prismpool.templates.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.VersionLayout;

class WorkedExampleTest {

    private static final byte[] FIRST = Hex.decode("00000001");
    private static final byte[] ZEROS = new byte[8];

    private final BlockAssembler assembler = new BlockAssembler();

    @Test
    void exampleAHasTheDocumentedJob() {
        WorkTemplate work = WorkedExamples.exampleA();
        assertThat(work.prevhashHex()).isEqualTo("f69acce6189db12c70ddc7a67e805f534fa21b1050e349347c4b60080ee96aa7");
        assertThat(work.coinbase().coinb1Hex())
                .isEqualTo("02000000010000000000000000000000000000000000000000000000000000000000000000ffffffff15"
                        + "51002f505249534d2f");
        assertThat(work.coinbase().coinb2Hex())
                .isEqualTo("feffffff020092b2e304000000225220000102030405060708090a0b0c0d0e0f101112131415161718191a1b"
                        + "1c1d1e1f0000000000000000266a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd8"
                        + "36974e8cf900000000");
        assertThat(Hex.encode(work.coinbase().fullPrefix()))
                .isEqualTo("020000000001010000000000000000000000000000000000000000000000000000000000000000ffffffff15"
                        + "51002f505249534d2f");
        assertThat(Hex.encode(work.coinbase().fullSuffix()))
                .isEqualTo("feffffff020092b2e304000000225220000102030405060708090a0b0c0d0e0f101112131415161718191a1b"
                        + "1c1d1e1f0000000000000000266a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd8"
                        + "36974e8cf90120000000000000000000000000000000000000000000000000000000000000000000000000");
        assertThat(work.branchHex()).isEmpty();
        assertThat(work.versionHex()).isEqualTo("20000000");
        assertThat(work.bitsHex()).isEqualTo("207fffff");
        assertThat(work.ntimeHex()).isEqualTo("67a2aa3e");
        assertThat(work.scaledNetworkDifficulty()).isEqualTo(1_000_000);
    }

    @Test
    void exampleASolvesToTheDocumentedBlock() {
        WorkTemplate work = WorkedExamples.exampleA();
        AssembledBlock block = assembler.block(work, FIRST, ZEROS, work.version(), work.ntime(), 0);
        Transaction coinbase = Transaction.parseHex(block.coinbaseHex());
        assertThat(coinbase.txid().displayHex())
                .isEqualTo("b3e0d79fefe4f3669848d769c226255a0095133719f37d10d49ebf707a74cc59");
        assertThat(coinbase.wtxid().displayHex())
                .isEqualTo("1ca629dcf927acdda88a8ee5e72330b996cbd34742a3e0e3019a84b7edb65a59");
        assertThat(coinbase.size()).isEqualTo(198);
        assertThat(coinbase.strippedBytes()).hasSize(162);
        assertThat(Hex.encode(assembler.headerBytes()))
                .isEqualTo("00000020e6cc9af62cb19d18a6c7dd70535f807e101ba24f3449e35008604b7ca76ae90e59cc747a70bf9ed4"
                        + "107df319371395005a2526c269d7489866f3e4ef9fd7e0b33eaaa267ffff7f2000000000");
        assertThat(block.hash().displayHex())
                .isEqualTo("165a93f1ab9c7be115e870e2246722e4da1e5a5e4b32824679426119139f8d46");
        assertThat(assembler.meets(work.networkTarget())).isTrue();
        assertThat(block.size()).isEqualTo(279);
        assertThat(block.hex()).isEqualTo(Hex.encode(assembler.headerBytes()) + "01" + block.coinbaseHex());
    }

    @Test
    void exampleAWithAnotherNonceIsNoBlock() {
        WorkTemplate work = WorkedExamples.exampleA();
        assembler.assemble(work, FIRST, ZEROS, work.version(), work.ntime(), 1);
        assertThat(assembler.hash().displayHex())
                .isEqualTo("efa524aff5cacf4780a04f03400ef210686d69f28da2142aac77eaf4c34e32e4");
        assertThat(assembler.meets(work.networkTarget())).isFalse();
    }

    @Test
    void thePlaceholderBuildOfExampleAHasTheDocumentedTxid() {
        Transaction placeholder =
                Transaction.parse(WorkedExamples.exampleA().coinbase().full(new byte[4], ZEROS));
        assertThat(placeholder.txid().displayHex())
                .isEqualTo("6e26939ecfa4d8d4fbafe207eb80c69d49a5d267435b8d5f45b944ead04be8ed");
    }

    @Test
    void exampleBHasTheDocumentedJob() {
        WorkTemplate work = WorkedExamples.exampleB();
        assertThat(work.prevhashHex()).isEqualTo("c4d5e6f78091a2b34c5d6e7f08192a3bc4d5e6f70001a2b30000000000000000");
        assertThat(work.coinbase().coinb1Hex())
                .isEqualTo("02000000010000000000000000000000000000000000000000000000000000000000000000ffffffff17"
                        + "037011012f505249534d2f");
        assertThat(work.coinbase().coinb2Hex())
                .isEqualTo("feffffff048fd416ab00000000225220" + "ff".repeat(32)
                        + "ad7d440102000000225220" + "aa".repeat(32)
                        + "ac7d440102000000225220" + "bb".repeat(32)
                        + "0000000000000000266a24aa21a9ed14e1162af1fd023b5bb0885929fe7e4c59f82789ea59ef0c6811d1d21f147bbf"
                        + "6f110100");
        assertThat(work.branchHex())
                .containsExactly(
                        "7bdf89fbd74742f82496218f9c18b4b5768e9e001768344b5344c1c1e643641f",
                        "400a8365daa36869f42f1e9331e8e23e7e125805ec797d4010f5e6ea2d661b20");
        assertThat(work.transactions().wtxids().get(1).internalHex())
                .isEqualTo("83429c37b8d4d4613c3d006e3df6a749035ae651be16279921fd5eb4db5608a0");
    }

    @Test
    void exampleBSolvesToTheDocumentedBlock() {
        WorkTemplate work = WorkedExamples.exampleB();
        int version = VersionLayout.roll(work.version(), 0x1fffe000, 0x00012000);
        AssembledBlock block =
                assembler.block(work, Hex.decode("0000002a"), Hex.decode("cafebabe00000001"), version, work.ntime(), 0);
        Transaction coinbase = Transaction.parseHex(block.coinbaseHex());
        assertThat(coinbase.txid().displayHex())
                .isEqualTo("08304c96665b13234a49b8894e8a0b7bae4250f6adac0b4a18d7014012674a99");
        assertThat(coinbase.wtxid().displayHex())
                .isEqualTo("aa669af2319c0f2ab4dee9d064a86edc1cfdbfef278df8c5d522bf8737640b1e");
        assertThat(coinbase.size()).isEqualTo(286);
        assertThat(Hex.encode(assembler.headerBytes()))
                .isEqualTo("00200120f7e6d5c4b3a291807f6e5d4c3b2a1908f7e6d5c4b3a201000000000000000000e0884d84cf08e3f1"
                        + "f336341ca2369bbba76247aa16d66267d493fb0ff71f858540f0646affff7f2000000000");
        assertThat(block.hash().displayHex())
                .isEqualTo("47a0c480627d1175627086b2533174f7258cbf16078073fa5e99ddc27303fb34");
        assertThat(block.size()).isEqualTo(570);
        assertThat(block.hex())
                .isEqualTo(Hex.encode(assembler.headerBytes())
                        + "03"
                        + block.coinbaseHex()
                        + WorkedExamples.TX1
                        + WorkedExamples.TX2);
    }

    @Test
    void twoClientsOfOneJobFindDifferentBlocks() {
        WorkTemplate work = WorkedExamples.exampleA();
        assembler.assemble(work, FIRST, ZEROS, work.version(), work.ntime(), 0);
        byte[] first = assembler.headerBytes();
        assembler.assemble(work, Hex.decode("00000002"), ZEROS, work.version(), work.ntime(), 0);
        assertThat(assembler.headerBytes()).isNotEqualTo(first);
    }

    @Test
    void aNewerClockGivesNewJobsItsTimeAndKeepsTheRest() {
        WorkTemplate work = WorkedExamples.exampleB();
        BlockTerms before = work.terms();
        BlockTerms.TimeLimits later = new BlockTerms.TimeLimits(1785000030, 1784990001, 600);

        WorkTemplate rebound = work.rebound(terms(before, before.coinbaseValueSats(), later), 7);

        assertThat(rebound.ntimeHex()).isEqualTo("6a64f05e");
        assertThat(rebound.ntime()).isEqualTo(1785000030);
        assertThat(rebound.generation()).isEqualTo(7);
        assertThat(rebound.coinbase()).isSameAs(work.coinbase());
        assertThat(rebound.transactions()).isSameAs(work.transactions());
        assertThat(rebound.fingerprint()).isEqualTo(work.fingerprint());
        assertThat(work.ntimeHex()).as("jobs that are out keep theirs").isEqualTo("6a64f040");
        BlockTerms dearer = terms(before, before.coinbaseValueSats() + 1, later);
        assertThatIllegalArgumentException().isThrownBy(() -> work.rebound(dearer, 8));
    }

    private static BlockTerms terms(BlockTerms from, long value, BlockTerms.TimeLimits time) {
        return new BlockTerms(from.parent(), from.height(), value, from.version(), from.bits(), time);
    }

    @Test
    void theHeaderIsTheWordwiseFlipOfTheStratumFields() {
        WorkTemplate work = WorkedExamples.exampleB();
        assembler.assemble(work, FIRST, ZEROS, work.version(), work.ntime(), 0xdeadbeefL);
        byte[] header = assembler.headerBytes();
        String bigEndian = flipWords(header);
        assertThat(bigEndian).startsWith(work.versionHex() + work.prevhashHex());
        assertThat(bigEndian).endsWith(work.ntimeHex() + work.bitsHex() + "deadbeef");
    }

    private static String flipWords(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (int word = 0; word < bytes.length; word += 4) {
            for (int i = 3; i >= 0; i--) {
                hex.append(Hex.encode(bytes, word + i, 1));
            }
        }
        return hex.toString();
    }
}

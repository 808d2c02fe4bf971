package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MerkleBranchTest {

    private static Hash256 leaf(int seed) {
        return Sha256d.hash(new byte[] {(byte) seed});
    }

    private static List<Hash256> leaves(int count) {
        List<Hash256> leaves = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            leaves.add(leaf(i));
        }
        return leaves;
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "2, 2", "3, 2", "4, 3", "5, 3", "5000, 13"})
    void theBranchLeadsToTheRootOfAllIds(int transactions, int length) {
        List<Hash256> rest = leaves(transactions);
        Hash256 coinbase = leaf(99);
        List<Hash256> all = new ArrayList<>();
        all.add(coinbase);
        all.addAll(rest);
        MerkleBranch branch = MerkleBranch.ofLeafZero(rest);
        assertThat(branch.siblings()).hasSize(length);
        assertThat(branch.fold(coinbase)).isEqualTo(MerkleBranch.root(all));
    }

    @Test
    void theBranchOfTwoTransactionsIsAsDocumented() {
        MerkleBranch branch = MerkleBranch.ofLeafZero(List.of(
                Hash256.ofDisplayHex("1f6443e6c1c144534b346817009e8e76b5b4189c8f219624f84247d7fb89df7b"),
                Hash256.ofDisplayHex("fabb1ef138b45b06c4767135a8482bcd110d1cca748efd0a24fe058216da87d2")));
        assertThat(branch.siblings().stream().map(Hash256::internalHex))
                .containsExactly(
                        "7bdf89fbd74742f82496218f9c18b4b5768e9e001768344b5344c1c1e643641f",
                        "400a8365daa36869f42f1e9331e8e23e7e125805ec797d4010f5e6ea2d661b20");
        Hash256 coinbase = Hash256.ofDisplayHex("08304c96665b13234a49b8894e8a0b7bae4250f6adac0b4a18d7014012674a99");
        assertThat(branch.fold(coinbase).displayHex())
                .isEqualTo("85851ff70ffb93d46762d616aa4762a7bb9b36a21c3436f3f1e308cf844d88e0");
    }

    @Test
    void aRepeatedPairIsAMutation() {
        List<Hash256> honest = leaves(3);
        List<Hash256> repeated = new ArrayList<>(honest);
        repeated.add(honest.get(2));
        assertThat(MerkleBranch.root(repeated)).isEqualTo(MerkleBranch.root(honest));
        assertThat(MerkleBranch.isMutated(repeated)).isTrue();
        assertThat(MerkleBranch.isMutated(honest)).isFalse();
    }

    @Test
    void aRepeatedSubtreeIsAMutation() {
        List<Hash256> repeated = new ArrayList<>(leaves(6));
        repeated.add(repeated.get(4));
        repeated.add(repeated.get(5));
        assertThat(MerkleBranch.root(repeated)).isEqualTo(MerkleBranch.root(leaves(6)));
        assertThat(MerkleBranch.isMutated(repeated)).isTrue();
    }
}

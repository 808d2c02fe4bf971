package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionTest {

    static final String TX1 =
            "020000000122222222222222222222222222222222222222222222222222222222222222220000000003222222"
                    + "ffffffff01e803000000000000225220222222222222222222222222222222222222222222222222222222222222222200000000";
    static final String TX2 =
            "020000000001014444444444444444444444444444444444444444444444444444444444444444000000000344"
                    + "4444ffffffff01e803000000000000225220444444444444444444444444444444444444444444444444444444444444444401"
                    + "05444444444400000000";

    @Test
    void aTransactionWithoutWitnessHasOneId() {
        Transaction transaction = Transaction.parseHex(TX1);
        assertThat(transaction.txid().displayHex())
                .isEqualTo("1f6443e6c1c144534b346817009e8e76b5b4189c8f219624f84247d7fb89df7b");
        assertThat(transaction.wtxid()).isEqualTo(transaction.txid());
        assertThat(transaction.hasWitness()).isFalse();
        assertThat(transaction.isCoinbase()).isFalse();
    }

    @Test
    void theWitnessIsLeftOutOfTheTxid() {
        Transaction transaction = Transaction.parseHex(TX2);
        assertThat(transaction.txid().displayHex())
                .isEqualTo("fabb1ef138b45b06c4767135a8482bcd110d1cca748efd0a24fe058216da87d2");
        assertThat(transaction.wtxid().displayHex())
                .isEqualTo("a00856dbb45efd21992716be51e65a0349a7f63d6e003d3c61d4d4b8379c4283");
        assertThat(Transaction.parse(transaction.strippedBytes()).txid()).isEqualTo(transaction.txid());
        assertThat(transaction.size()).isEqualTo(TX2.length() / 2);
    }

    @Test
    void theFieldsAreReadAndWrittenBack() {
        Transaction transaction = Transaction.parseHex(TX2);
        TransactionInput input = transaction.inputs().get(0);
        assertThat(input.previousTxid().internalHex()).isEqualTo("44".repeat(32));
        assertThat(Hex.encode(input.scriptSig())).isEqualTo("444444");
        assertThat(input.sequence()).isEqualTo(0xffffffffL);
        assertThat(input.witness()).hasSize(1);
        TransactionOutput output = transaction.outputs().get(0);
        assertThat(output.valueSats()).isEqualTo(1000);
        assertThat(output.scriptHex()).isEqualTo("5220" + "44".repeat(32));
        assertThat(Transaction.of(2, List.of(input), List.of(output), 0)).isEqualTo(transaction);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "02000000",
                TX1 + "00",
                "0200000000", // no input
                "02000000000100", // marker, flag, no input
                "020000000002" + "01", // unknown flag
                "0200000001" + "2222222222222222222222222222222222222222222222222222222222222222" + "00000000"
                        + "fd0300"
            })
    void brokenSerializationsAreRefused(String hex) {
        assertThatExceptionOfType(MalformedBytesException.class).isThrownBy(() -> Transaction.parseHex(hex));
    }

    @Test
    void aWitnessWithoutAnyItemIsRefused() {
        String superfluous = TX2.replace("0105444444444400000000", "0000000000");
        assertThatExceptionOfType(MalformedBytesException.class)
                .isThrownBy(() -> Transaction.parseHex(superfluous))
                .withMessageContaining("superfluous");
    }

    @Test
    void everyTruncationIsRefused() {
        for (int digits = 0; digits < TX2.length(); digits += 2) {
            String cut = TX2.substring(0, digits);
            assertThatExceptionOfType(MalformedBytesException.class).isThrownBy(() -> Transaction.parseHex(cut));
        }
    }
}

package org.prismpool.templates.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

class CoinbaseSplitTest {

    @Test
    void placeholderBytesElsewhereDoNotMoveTheCut() {
        // Outpoint, output script, reserved value and the tag of zeros all contain the placeholder's twelve zero bytes.
        Transaction coinbase = WorkedExamples.coinbase(
                70_000, TransactionSet.EMPTY, new byte[32], List.of(WorkedExamples.payout(1, "00".repeat(32))));
        CoinbaseSplit split = CoinbaseSplit.of(coinbase.bytes(), coinbase.txid(), 8);
        assertThat(split.coinb1Hex()).endsWith("037011012f505249534d2f");
        byte[] full = split.full(Hex.decode("0000002a"), Hex.decode("0102030405060708"));
        assertThat(Hex.encode(Transaction.parse(full).inputs().get(0).scriptSig()))
                .isEqualTo("037011012f505249534d2f" + "0000002a" + "0102030405060708");
    }

    @Test
    void aCoinbaseWithoutThePlaceholderIsRefused() {
        TransactionInput input = new TransactionInput(
                Hash256.ZERO, TransactionInput.NULL_INDEX, Hex.decode("0111" + "00".repeat(11) + "01"), 0, List.of());
        Transaction coinbase =
                Transaction.of(2, List.of(input), List.of(WorkedExamples.payout(1, "aa".repeat(32))), 16);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CoinbaseSplit.of(coinbase.bytes(), coinbase.txid(), 8))
                .withMessageContaining("placeholder");
    }

    @Test
    void aScriptShorterThanTheExtranoncesIsRefused() {
        TransactionInput input =
                new TransactionInput(Hash256.ZERO, TransactionInput.NULL_INDEX, new byte[11], 0, List.of());
        Transaction coinbase =
                Transaction.of(2, List.of(input), List.of(WorkedExamples.payout(1, "aa".repeat(32))), 16);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CoinbaseSplit.of(coinbase.bytes(), coinbase.txid(), 8))
                .withMessageContaining("shorter");
    }

    @Test
    void anotherDeclaredTxidIsRefused() {
        Transaction coinbase = WorkedExamples.coinbase(
                1, TransactionSet.EMPTY, new byte[32], List.of(WorkedExamples.payout(1, "aa".repeat(32))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CoinbaseSplit.of(coinbase.bytes(), Hash256.ZERO, 8))
                .withMessageContaining("txid");
    }

    @Test
    void anOrdinaryTransactionAndLeftOverBytesAreRefused() {
        Transaction ordinary = Transaction.parseHex(WorkedExamples.TX1);
        assertThatIllegalArgumentException().isThrownBy(() -> CoinbaseSplit.of(ordinary.bytes(), ordinary.txid(), 8));
        Transaction coinbase = WorkedExamples.coinbase(
                1, TransactionSet.EMPTY, new byte[32], List.of(WorkedExamples.payout(1, "aa".repeat(32))));
        byte[] longer = Hex.decode(coinbase.hex() + "00");
        assertThatIllegalArgumentException().isThrownBy(() -> CoinbaseSplit.of(longer, coinbase.txid(), 8));
    }

    @ParameterizedTest
    @CsvSource({"1, 200", "16, 845", "252, 10995", "253, 11038"})
    void theSizeGrowsWithTheNumberOfPayouts(int payouts, int size) {
        List<TransactionOutput> outputs =
                new ArrayList<>(Collections.nCopies(payouts, WorkedExamples.payout(1, "aa".repeat(32))));
        Transaction coinbase = WorkedExamples.coinbase(70_000, TransactionSet.EMPTY, new byte[32], outputs);
        assertThat(coinbase.size()).isEqualTo(size);
        assertThat(CoinbaseSplit.of(coinbase.bytes(), coinbase.txid(), 8).fullSize())
                .isEqualTo(size);
    }

    @Test
    void extranoncesOfAnotherSizeAreRefused() {
        CoinbaseSplit split = WorkedExamples.exampleA().coinbase();
        assertThatIllegalArgumentException().isThrownBy(() -> split.full(new byte[4], new byte[7]));
        assertThatIllegalArgumentException().isThrownBy(() -> split.full(new byte[3], new byte[8]));
    }
}

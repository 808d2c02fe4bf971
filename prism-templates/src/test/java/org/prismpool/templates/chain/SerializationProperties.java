package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class SerializationProperties {

    @Provide
    Arbitrary<Transaction> transactions() {
        Arbitrary<byte[]> script = Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
        Arbitrary<List<byte[]>> witness = script.list().ofMaxSize(3);
        Arbitrary<Hash256> hash =
                Arbitraries.bytes().array(byte[].class).ofSize(32).map(Hash256::ofInternal);
        Arbitrary<Long> u32 = Arbitraries.longs().between(0, 0xffffffffL);
        Arbitrary<TransactionInput> input =
                Combinators.combine(hash, u32, script, u32, witness).as(TransactionInput::new);
        Arbitrary<TransactionOutput> output =
                Combinators.combine(Arbitraries.longs(), script).as(TransactionOutput::new);
        return Combinators.combine(
                        Arbitraries.integers(),
                        input.list().ofMinSize(1).ofMaxSize(4),
                        output.list().ofMinSize(1).ofMaxSize(4),
                        u32)
                .as(Transaction::of);
    }

    @Property(tries = 300)
    void aTransactionSurvivesWritingAndReading(@ForAll("transactions") Transaction transaction) {
        Transaction read = Transaction.parse(transaction.bytes());
        assertThat(read).isEqualTo(transaction);
        assertThat(read.inputs()).isEqualTo(transaction.inputs());
        assertThat(read.outputs()).isEqualTo(transaction.outputs());
        assertThat(read.lockTime()).isEqualTo(transaction.lockTime());
        Transaction stripped = Transaction.parse(transaction.strippedBytes());
        assertThat(stripped.txid()).isEqualTo(transaction.txid());
        assertThat(stripped.hasWitness()).isFalse();
    }

    @Property(tries = 300)
    void damagedTransactionsAreRefusedOrReadButNeverFailOtherwise(
            @ForAll("transactions") Transaction transaction, @ForAll int position, @ForAll byte value) {
        byte[] damaged = transaction.bytes();
        damaged[Math.floorMod(position, damaged.length)] = value;
        try {
            Transaction read = Transaction.parse(damaged);
            assertThatCode(read::inputs).doesNotThrowAnyException();
            assertThatCode(read::outputs).doesNotThrowAnyException();
        } catch (MalformedBytesException refused) {
            assertThat(refused).hasMessageNotContaining(transaction.hex());
        }
    }

    @Property
    void countsSurviveWritingAndReading(@ForAll @LongRange(min = 0) long value) {
        byte[] bytes = new ByteWriter().compactSize(value).toByteArray();
        assertThat(bytes).hasSize(CompactSize.sizeOf(value));
        assertThat(new ByteReader(bytes).compactSize()).isEqualTo(value);
    }

    @Property
    void hexSurvivesInBothCases(@ForAll byte[] bytes) {
        String hex = Hex.encode(bytes);
        assertThat(Hex.decode(hex)).isEqualTo(bytes);
        assertThat(Hex.decode(hex.toUpperCase(Locale.ROOT))).isEqualTo(bytes);
    }

    @Property
    void addressesSurviveInBothCases(@ForAll @Size(32) byte[] program, @ForAll Network network) {
        P2mrAddress address = P2mrAddress.of(network, program);
        assertThat(P2mrAddress.decode(network, address.text())).contains(address);
        assertThat(P2mrAddress.decode(network, address.text().toUpperCase(Locale.ROOT)))
                .contains(address);
        assertThat(P2mrAddress.programOfScript(address.script()).map(Hex::encode))
                .isEqualTo(Optional.of(address.programHex()));
    }

    @Property(tries = 200)
    void theBranchAndTheTreeAgreeForAnyNumberOfTransactions(@ForAll @IntRange(min = 0, max = 70) int count) {
        List<Hash256> all = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
            all.add(Sha256d.hash(new byte[] {(byte) i}));
        }
        MerkleBranch branch = MerkleBranch.ofLeafZero(all.subList(1, all.size()));
        assertThat(branch.fold(all.get(0))).isEqualTo(MerkleBranch.root(all));
    }
}

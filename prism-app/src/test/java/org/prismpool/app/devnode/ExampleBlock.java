package org.prismpool.app.devnode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/** Worked example A of spec 03 §4.6 with everything that the fixtures of §7.4 vary. */
class ExampleBlock {

    static final long TIME = 1_738_713_662L;
    static final long SUBSIDY = 21_000_000_000L;
    static final String PROGRAM = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    static final String SCRIPT_SIG_TAIL = "2f505249534d2f000000010000000000000000";

    Hash256 parent = Network.REGTEST.genesisHash();
    String scriptSigHex = "5100" + SCRIPT_SIG_TAIL;
    long lockTime;
    long sequence = 0xfffffffeL;
    long value = SUBSIDY;
    String payoutScriptHex = "5220" + PROGRAM;
    byte[] reserved = new byte[32];
    Optional<byte[]> committedReserved = Optional.empty();
    boolean withWitness = true;
    boolean withCommitment = true;
    List<Transaction> others = new ArrayList<>();
    Optional<Hash256> merkleRoot = Optional.empty();
    int version = 0x20000000;
    long time = TIME;
    int bits = 0x207fffff;
    long nonce;

    Transaction coinbase() {
        List<byte[]> witness = withWitness ? List.of(reserved) : List.of();
        TransactionInput input = new TransactionInput(
                Hash256.ZERO, TransactionInput.NULL_INDEX, Hex.decode(scriptSigHex), sequence, witness);
        List<TransactionOutput> outputs = new ArrayList<>();
        outputs.add(new TransactionOutput(value, Hex.decode(payoutScriptHex)));
        if (withCommitment) {
            outputs.add(new TransactionOutput(0, commitment()));
        }
        return Transaction.of(2, List.of(input), outputs, lockTime);
    }

    List<Transaction> transactions() {
        List<Transaction> all = new ArrayList<>();
        all.add(coinbase());
        all.addAll(others);
        return all;
    }

    BlockHeader header() {
        Hash256 root = merkleRoot.orElseGet(() ->
                MerkleBranch.root(transactions().stream().map(Transaction::txid).toList()));
        return new BlockHeader(version, parent, root, time, bits, nonce);
    }

    Hash256 hash() {
        return header().hash();
    }

    String hex() {
        ByteWriter writer = new ByteWriter()
                .bytes(header().bytes())
                .compactSize(transactions().size());
        transactions().forEach(transaction -> writer.bytes(transaction.bytes()));
        return Hex.encode(writer.toByteArray());
    }

    /** Takes the first nonce whose hash meets regtest's bits: the top bit of the hash is clear. */
    ExampleBlock solved() {
        nonce = 0;
        while ((hash().internalBytes()[31] & 0x80) != 0) {
            nonce++;
        }
        return this;
    }

    /** Takes the first nonce whose hash does not meet regtest's bits. */
    ExampleBlock unsolved() {
        nonce = 0;
        while ((hash().internalBytes()[31] & 0x80) == 0) {
            nonce++;
        }
        return this;
    }

    private byte[] commitment() {
        List<Hash256> leaves = new ArrayList<>();
        leaves.add(Hash256.ZERO);
        others.forEach(transaction -> leaves.add(transaction.wtxid()));
        byte[] root = MerkleBranch.root(leaves).internalBytes();
        byte[] commit = Sha256d.digest(root, committedReserved.orElse(reserved));
        return new ByteWriter().bytes(Hex.decode("6a24aa21a9ed")).bytes(commit).toByteArray();
    }
}

package org.prismpool.app.devnode.state;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.app.devnode.chain.ChainRules;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.app.devnode.validation.BlockDecoder;
import org.prismpool.app.devnode.validation.DecodedSubmission;
import org.prismpool.templates.chain.ByteReader;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Transaction;

/**
 * Keeps the chain in a directory: every stored block, declared transaction, decision and issued address is appended to one
 * file and repeated at the next start. Guarded by the lock of the chain state.
 */
public final class FileJournal implements ChainJournal, AutoCloseable {

    private static final String FILE_NAME = "devnode-blocks.log";
    private static final char PROFILE = 'H';
    private static final char BLOCK = 'B';
    private static final char TRANSACTION = 'T';
    private static final char DECISION = 'D';
    private static final char ADDRESSES = 'A';

    private final BlockLog log;
    private final ChainRules rules;
    private boolean replaying;

    private FileJournal(BlockLog log, ChainRules rules) {
        this.log = log;
        this.rules = rules;
    }

    /**
     * Opens the journal of a directory and checks that it belongs to the same chain.
     *
     * @param directory created when missing
     * @param rules the chain's parameters
     * @return the journal
     * @throws IllegalStateException when it was written with other parameters, is broken, or is in use
     */
    public static FileJournal open(Path directory, ChainRules rules) {
        BlockLog log = BlockLog.open(directory.resolve(FILE_NAME));
        String profile = "v1 " + rules;
        Optional<BlockLog.Entry> first = log.recovered().stream().findFirst();
        if (first.isEmpty()) {
            log.append(PROFILE, profile.getBytes(StandardCharsets.UTF_8));
        } else if (first.get().kind() != PROFILE || !first.get().text().equals(profile)) {
            log.close();
            throw new IllegalStateException("the development node's data belongs to other chain parameters");
        }
        return new FileJournal(log, rules);
    }

    /**
     * Repeats the journal on a new chain. Called once, before the chain is used.
     *
     * @param chain a chain with only the genesis block and this journal
     * @return the number of addresses issued so far
     */
    public long replay(Chainstate chain) {
        replaying = true;
        OptionalLong issued = OptionalLong.empty();
        try {
            for (BlockLog.Entry entry : log.recovered()) {
                if (entry.kind() == ADDRESSES) {
                    issued = OptionalLong.of(new ByteReader(entry.payload()).i64());
                } else {
                    repeat(entry, chain);
                }
            }
        } finally {
            replaying = false;
        }
        return issued.orElse(0);
    }

    @Override
    public void blockStored(RawBlock block) {
        append(BLOCK, block.bytes());
    }

    @Override
    public void feeDeclared(Transaction transaction, long feeSats) {
        append(
                TRANSACTION,
                new ByteWriter().i64(feeSats).bytes(transaction.bytes()).toByteArray());
    }

    @Override
    public void decided(BlockDecision decision, Hash256 hash) {
        append(DECISION, new ByteWriter().u8(decision.code()).hash(hash).toByteArray());
    }

    @Override
    public void addressesIssued(long count) {
        append(ADDRESSES, new ByteWriter().i64(count).toByteArray());
    }

    @Override
    public void close() {
        log.close();
    }

    private void append(char kind, byte[] payload) {
        if (!replaying) {
            log.append(kind, payload);
        }
    }

    private void repeat(BlockLog.Entry entry, Chainstate chain) {
        ByteReader reader = new ByteReader(entry.payload());
        switch (entry.kind()) {
            case BLOCK -> {
                DecodedSubmission block = new BlockDecoder(rules.network(), true).decode(Hex.encode(entry.payload()));
                chain.restore(block.block().orElseThrow());
            }
            case TRANSACTION -> {
                long fee = reader.i64();
                chain.gate().declare(Transaction.parse(reader.bytes(reader.remaining())), fee);
            }
            case DECISION -> {
                BlockDecision decision = BlockDecision.ofCode(reader.u8());
                IndexedBlock block = chain.tree().find(reader.hash()).orElseThrow();
                chain.decide(decision, block);
            }
            case PROFILE -> {
                // Compared when the file was opened.
            }
            default -> throw new IllegalStateException("unknown record in the block log");
        }
    }
}

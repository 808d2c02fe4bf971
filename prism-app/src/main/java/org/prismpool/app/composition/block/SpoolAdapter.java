package org.prismpool.app.composition.block;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.payout.finalization.IntentCodec;
import org.prismpool.payout.finalization.InvalidIntentException;
import org.prismpool.sharewriter.spool.FileBlockSpool;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.BlockSpool;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Found blocks that the database did not take, as files. */
public final class SpoolAdapter implements BlockSpool {

    private static final Logger LOG = LoggerFactory.getLogger(SpoolAdapter.class);

    private final FileBlockSpool files;

    public SpoolAdapter(FileBlockSpool files) {
        this.files = files;
    }

    @Override
    public void write(BlockCandidate candidate) throws IOException {
        try {
            files.write(candidate.hash().displayHex(), candidate.intentJson());
        } catch (UncheckedIOException refused) {
            throw new IOException(refused.getMessage(), refused);
        }
    }

    @Override
    public List<BlockCandidate> readAll() throws IOException {
        List<BlockCandidate> candidates = new ArrayList<>();
        try {
            for (FileBlockSpool.SpooledBlock block : files.list()) {
                try {
                    CandidateIntent intent = IntentCodec.decode(Hash256.ofDisplayHex(block.blockHash()), block.json());
                    candidates.add(Solves.candidate(intent, block.json(), false));
                } catch (InvalidIntentException | IllegalArgumentException damaged) {
                    // Kept on disk for an operator: it may still hold a block.
                    LOG.atError()
                            .addKeyValue("block_hash", block.blockHash())
                            .setCause(damaged)
                            .log("spooled block cannot be decoded");
                }
            }
        } catch (UncheckedIOException unreadable) {
            throw new IOException(unreadable.getMessage(), unreadable);
        }
        return candidates;
    }

    @Override
    public void delete(Hash256 hash) throws IOException {
        try {
            files.remove(hash.displayHex());
        } catch (UncheckedIOException refused) {
            throw new IOException(refused.getMessage(), refused);
        }
    }
}

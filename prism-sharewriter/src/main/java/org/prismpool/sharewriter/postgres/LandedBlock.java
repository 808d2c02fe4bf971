package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_AUDIT_BUNDLES;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_PAYOUT_ENTRIES;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.block.AcceptedBlock;
import org.prismpool.sharewriter.block.AuditBundleRow;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.block.PayoutAction;

/** Compares a block with what the ledger recorded when it landed; {@link LandingRequest} writes it. */
final class LandedBlock {

    private LandedBlock() {}

    /** A payout entry without its block. */
    private record Entry(
            String minerId,
            String orderKey,
            P2mrProgram program,
            long onchainSats,
            BigInteger carryForwardSats,
            PayoutAction action) {

        private static Entry of(PayoutAccount account) {
            return new Entry(
                    account.minerId(),
                    account.orderKey(),
                    account.program(),
                    account.onchainSats(),
                    account.carryForwardSats(),
                    account.action());
        }
    }

    /** Compares a block that the ledger holds with what was to be recorded. */
    static void compare(DSLContext sql, AcceptedBlock block) {
        if (!matchesRecorded(sql, block)) {
            throw new IllegalStateException("a recorded block is gone");
        }
        compareRows(sql, block);
    }

    /** The body place already recorded for a block that matches; its presence must not be overwritten. */
    static Optional<AuditBundleRow.External> recordedBody(DSLContext sql, AcceptedBlock block) {
        if (!matchesRecorded(sql, block)) {
            return Optional.empty();
        }
        return sql.select(QBIT_POOL_AUDIT_BUNDLES.BODY_URI, QBIT_POOL_AUDIT_BUNDLES.AUDIT_BODY_BYTE_LEN)
                .from(QBIT_POOL_AUDIT_BUNDLES)
                .where(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH.eq(block.blockHash()))
                .and(QBIT_POOL_AUDIT_BUNDLES.BODY_URI.isNotNull())
                .fetchOptional(row -> {
                    @Nullable Long length = row.value2();
                    return new AuditBundleRow.External(row.value1(), length == null ? 0 : length);
                });
    }

    /** False if the block is not recorded; its metadata and bundle digests are compared, body bytes never. */
    private static boolean matchesRecorded(DSLContext sql, AcceptedBlock block) {
        var recorded = sql.select(
                        QBIT_POOL_BLOCKS.BLOCK_HEIGHT,
                        QBIT_POOL_BLOCKS.PARENT_HASH,
                        QBIT_POOL_BLOCKS.COINBASE_TXID,
                        QBIT_POOL_BLOCKS.PAYOUT_MANIFEST_SHA256)
                .from(QBIT_POOL_BLOCKS)
                .where(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(block.blockHash()))
                .fetchOne();
        if (recorded == null) {
            return false;
        }
        if (recorded.value1() != block.height()
                || !recorded.value2().equals(block.parentHash())
                || !recorded.value3().equals(block.coinbaseTxid())
                || !recorded.value4().equals(block.payoutManifestSha256())) {
            throw new BlockMismatchException("existing block metadata does not match payload");
        }
        boolean sameBundle = sql.fetchExists(sql.selectOne()
                .from(QBIT_POOL_AUDIT_BUNDLES)
                .where(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH.eq(block.blockHash()))
                .and(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE_SHA256.eq(
                        block.bundle().sha256()))
                .and(QBIT_POOL_AUDIT_BUNDLES.COINBASE_TX_HEX.eq(block.bundle().coinbaseTxHex())));
        if (!sameBundle) {
            throw new BlockMismatchException("existing audit bundle does not match payload");
        }
        return true;
    }

    private static void compareRows(DSLContext sql, AcceptedBlock block) {
        Multiset<Entry> recorded = HashMultiset.create(sql.selectFrom(QBIT_POOL_PAYOUT_ENTRIES)
                .where(QBIT_POOL_PAYOUT_ENTRIES.BLOCK_HASH.eq(block.blockHash()))
                .fetch(row -> new Entry(
                        row.getMinerId(),
                        row.getPayoutOrderKey(),
                        P2mrProgram.of(row.getP2mrProgram()),
                        row.getOnchainAmountSats(),
                        row.getCarryForwardBalanceSats(),
                        PayoutAction.ofText(row.getAction()))));
        List<Entry> given = block.accounts().stream().map(Entry::of).toList();
        if (!recorded.equals(HashMultiset.create(given))) {
            throw new BlockMismatchException("existing payout entries do not match payload");
        }
        Multiset<PayoutAccount> journal = HashMultiset.create(CarryRows.ofBlock(sql, block.blockHash()));
        if (!journal.equals(HashMultiset.create(block.accounts()))) {
            throw new BlockMismatchException("existing carry-forward rows do not match payload");
        }
    }
}

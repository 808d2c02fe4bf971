package org.prismpool.app.devnode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.prismpool.payout.coinbase.CoinbaseBuildRequest;
import org.prismpool.payout.coinbase.CoinbaseBuilder;
import org.prismpool.payout.coinbase.CoinbaseManifest;
import org.prismpool.payout.coinbase.SignedCoinbaseManifest;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WeightedEntitlement;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.job.AssembledBlock;
import org.prismpool.templates.job.BlockAssembler;
import org.prismpool.templates.job.BlockTerms;
import org.prismpool.templates.job.CoinbaseScript;
import org.prismpool.templates.job.CoinbaseSplit;
import org.prismpool.templates.job.TransactionSet;
import org.prismpool.templates.job.WorkTemplate;

/**
 * A block on its way through the pool's own parts: a template, the coinbase builder with placeholders for the
 * extranonces, the split, a miner's extranonces and nonce, and the signed manifest that is published for it.
 *
 * @param manifest the coinbase with the miner's extranonces, signed
 * @param block the block that goes to the node
 */
public record PaidBlock(SignedCoinbaseManifest manifest, AssembledBlock block) {

    /** Value in the coinbase's witness: not zero, so that the node can't have put it there. */
    static final String RESERVED_HEX = "77".repeat(32);

    private static final int EXTRANONCE2_SIZE = 8;
    private static final String TAG_HEX = Hex.encode(CoinbaseScript.tag("/PRISM/"));
    private static final long TRIES = 1L << 24;
    private static final SigningSeed POOL_KEY =
            SigningSeed.ofHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");

    /** Shared work and the request that its coinbase was built from. */
    public record Job(WorkTemplate work, CoinbaseBuildRequest request) {

        /** Finds a block as the connection with this extranonce1. */
        public PaidBlock solved(int extranonce1) {
            byte[] one = Hex.decode(String.format("%08x", extranonce1));
            byte[] two = Hex.decode("cafebabe00000001");
            BlockAssembler assembler = new BlockAssembler();
            for (long nonce = 0; nonce < TRIES; nonce++) {
                assembler.assemble(work, one, two, work.version(), work.ntime(), nonce);
                if (assembler.meets(work.networkTarget())) {
                    AssembledBlock block = assembler.block(work, one, two, work.version(), work.ntime(), nonce);
                    String suffix = TAG_HEX + Hex.encode(one) + Hex.encode(two);
                    CoinbaseManifest manifest = CoinbaseBuilder.build(withSuffix(request, suffix));
                    return new PaidBlock(SignedCoinbaseManifest.sign(manifest, POOL_KEY), block);
                }
            }
            throw new IllegalStateException("no block in " + TRIES + " hashes: not an easy chain");
        }
    }

    /** Makes work that pays some recipients with the transactions of the template. */
    public static Job job(TemplateObservation template, List<WeightedEntitlement> recipients) {
        return job(template, recipients, List.of(), 0);
    }

    /**
     * Makes work that pays some recipients.
     *
     * @param template from the node
     * @param recipients who is paid
     * @param further transactions after those of the template
     * @param fees what the further transactions pay
     * @return the work
     */
    static Job job(
            TemplateObservation template, List<WeightedEntitlement> recipients, List<Transaction> further, long fees) {
        BlockTerms asked = template.template().terms();
        BlockTerms terms = new BlockTerms(
                asked.parent(),
                asked.height(),
                asked.coinbaseValueSats() + fees,
                asked.version(),
                asked.bits(),
                asked.time());
        TransactionSet transactions = joined(template.template().transactions(), further);
        CoinbaseBuildRequest request = new CoinbaseBuildRequest(
                terms.height(),
                terms.coinbaseValueSats(),
                recipients,
                Optional.of(RESERVED_HEX),
                transactions.wtxids().stream().map(Hash256::internalHex).toList(),
                Optional.of(TAG_HEX + "00".repeat(CoinbaseScript.EXTRANONCE1_SIZE + EXTRANONCE2_SIZE)),
                Optional.empty());
        CoinbaseManifest placeholder = CoinbaseBuilder.build(request);
        CoinbaseSplit split = CoinbaseSplit.of(
                Hex.decode(placeholder.coinbaseTxHex()),
                Hash256.ofDisplayHex(placeholder.coinbaseTxid()),
                EXTRANONCE2_SIZE);
        WorkTemplate work = new WorkTemplate(
                terms,
                transactions,
                split,
                template.generation(),
                template.fingerprint().hex());
        return new Job(work, request);
    }

    /** Names recipients with addresses, programs and weights of their own. */
    public static List<WeightedEntitlement> recipients(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> {
                    byte[] name = ("recipient " + number).getBytes(StandardCharsets.US_ASCII);
                    return paying(Sha256d.digest(name), number);
                })
                .toList();
    }

    /** Names the recipient with a program. */
    static WeightedEntitlement paying(byte[] program, long weight) {
        P2mrAddress address = P2mrAddress.of(Network.REGTEST, program);
        PayoutIdentity identity = new PayoutIdentity(address.text(), address.text(), address.programHex());
        return new WeightedEntitlement(identity, U128.ofUnsigned(weight));
    }

    private static TransactionSet joined(TransactionSet first, List<Transaction> further) {
        List<Transaction> all = new ArrayList<>();
        for (int i = 0; i < first.count(); i++) {
            all.add(first.transaction(i));
        }
        all.addAll(further);
        return TransactionSet.of(all);
    }

    private static CoinbaseBuildRequest withSuffix(CoinbaseBuildRequest request, String suffixHex) {
        return new CoinbaseBuildRequest(
                request.blockHeight(),
                request.coinbaseValueSats(),
                request.entitlements(),
                request.witnessNonceHex(),
                request.witnessMerkleLeavesHex(),
                Optional.of(suffixHex),
                request.pinnedFirstOutput());
    }

    /** Returns the same block with another last byte of the coinbase's witness, which the header does not cover. */
    String hexWithForeignReservedValue() {
        String coinbase = block.coinbaseHex();
        int end = coinbase.length() - 8; // before the lock time
        String changed = coinbase.substring(0, end - 2) + "78" + coinbase.substring(end);
        return block.hex().replace(coinbase, changed);
    }
}

package org.prismpool.payout.coinbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.signing.ManifestSigner;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.templates.chain.Sha256d;

/**
 * A coinbase without its witness nonce. The nonce commits to manifests whose hashes take longest, so a build prepares beside
 * them what it does not change: the outputs, which are nearly all of a coinbase. Immutable and thread-safe.
 */
public final class PreparedCoinbase {

    private static final int NONCE_SIZE = 32;
    private static final int ENCODED_OUTPUT = 400; // with an address as recipient and as order key
    private static final int ENCODED_MEMBERS = 2_000; // of a manifest, without the transaction and the outputs

    private final CoinbaseBuildRequest request;
    private final CoinbasePayouts payouts;
    private final byte[] encodedOutputs; // the array of a canonical manifest; empty if it is to be encoded when signed

    private PreparedCoinbase(CoinbaseBuildRequest request, CoinbasePayouts payouts, byte[] encodedOutputs) {
        this.request = request;
        this.payouts = payouts;
        this.encodedOutputs = encodedOutputs;
    }

    /**
     * Orders the outputs and computes their amounts.
     *
     * @param request what to pay; its nonce is not looked at
     * @return the coinbase without its nonce
     * @throws PayoutRuleException with the contract text of the first rule that value, entitlements or pinned output break
     */
    public static PreparedCoinbase of(CoinbaseBuildRequest request) {
        return new PreparedCoinbase(request, CoinbasePayouts.of(request), new byte[0]);
    }

    /**
     * Encodes the outputs for {@link #sign}, which then only copies them.
     *
     * @return the same coinbase
     */
    public PreparedCoinbase withEncodedOutputs() {
        byte[] array = CanonicalWriter.bytesOf(
                out -> {
                    out.beginArray();
                    payouts.outputs().forEach(each -> each.write(out));
                    out.endArray();
                },
                ENCODED_OUTPUT * payouts.outputs().size());
        return new PreparedCoinbase(request, payouts, array);
    }

    /**
     * Completes the coinbase.
     *
     * @param witnessNonceHex 32 bytes as hexadecimal text; empty for zeros
     * @return the manifest, transaction included
     * @throws PayoutRuleException with the contract text of the first rule that nonce, leaves, height or suffix break
     */
    public CoinbaseManifest manifest(Optional<String> witnessNonceHex) {
        byte[] nonce = witnessNonceHex.isEmpty() ? new byte[NONCE_SIZE] : hash(witnessNonceHex.get(), "witness_nonce");
        byte[] commitment = WitnessCommitment.of(leaves(request.witnessMerkleLeavesHex()), nonce);
        CoinbaseTransaction transaction =
                CoinbaseTransaction.of(request.blockHeight(), request.scriptSigSuffixHex(), nonce, commitment);
        byte[] witnessForm = transaction.witnessForm(payouts);
        if (witnessForm.length > CoinbaseTransaction.MAX_BLOCK_WEIGHT) {
            throw new PayoutRuleException("coinbase transaction weight " + witnessForm.length
                    + " exceeds max block weight " + CoinbaseTransaction.MAX_BLOCK_WEIGHT);
        }
        return new CoinbaseManifest(
                CoinbaseManifest.SCHEMA,
                request.blockHeight(),
                request.coinbaseValueSats(),
                payouts.totalWeight(),
                witnessForm.length,
                payouts.outputs().size(),
                Hex.encode(witnessForm),
                Sha256d.hash(transaction.strippedForm(payouts)).displayHex(),
                Sha256d.hash(witnessForm).displayHex(),
                Hex.encode(transaction.scriptSig()),
                Hex.encode(transaction.scriptSigSuffix()),
                Hex.encode(transaction.nonce()),
                Hex.encode(transaction.commitmentScript()),
                payouts.outputs());
    }

    /**
     * Signs a manifest of this coinbase.
     *
     * @param manifest what {@link #manifest} returned
     * @param signer the pool's key
     * @return the signed manifest
     */
    public SignedCoinbaseManifest sign(CoinbaseManifest manifest, ManifestSigner signer) {
        if (encodedOutputs.length == 0) {
            return SignedCoinbaseManifest.sign(manifest, signer);
        }
        if (!manifest.outputs().equals(payouts.outputs())) { // one object, unless it is another coinbase's
            throw new IllegalArgumentException("the manifest has other outputs");
        }
        int size = ENCODED_MEMBERS + manifest.coinbaseTxHex().length() + encodedOutputs.length;
        byte[] message = CanonicalWriter.bytesOf(out -> manifest.write(out, encodedOutputs), size);
        return new SignedCoinbaseManifest(manifest, signer.signature(message));
    }

    private static List<byte[]> leaves(List<String> leavesHex) {
        List<byte[]> leaves = new ArrayList<>(leavesHex.size());
        for (int i = 0; i < leavesHex.size(); i++) {
            leaves.add(hash(leavesHex.get(i), "witness_merkle_leaf[" + i + "]"));
        }
        return leaves;
    }

    private static byte[] hash(String hex, String what) {
        try {
            return CoinbasePayouts.sized(Hex.decode(hex), what);
        } catch (Hex.MalformedHexException e) {
            throw new PayoutRuleException("hex decode failed: " + e.reason());
        }
    }
}

package org.prismpool.app.composition.backend;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import org.prismpool.payout.ctv.FanoutManifest;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.json.Sha256;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.templates.chain.Hash256;

/** A verified manifest set in the words of the ledger. Stateless. */
public final class FanoutSets {

    private FanoutSets() {}

    public static FanoutSet rows(Hash256 block, FanoutManifestSet set) {
        List<FanoutArtifact> artifacts =
                set.manifests().stream().map(FanoutSets::artifact).toList();
        return new FanoutSet(
                block.displayHex(),
                set.persistedJson(),
                Sha256.hex(set.persistedJson().getBytes(StandardCharsets.UTF_8)),
                set.settlementMode().text(),
                set.parentCoinbaseTxid(),
                set.manifests().get(0).parentCoinbaseTxHex(),
                set.fanoutOutputSumSats(),
                set.covenantOutputValueSats(),
                artifacts);
    }

    private static FanoutArtifact artifact(FanoutManifest manifest) {
        byte[] canonical = manifest.canonicalBytes();
        return new FanoutArtifact(
                manifest.fanoutTxid(),
                new String(canonical, StandardCharsets.UTF_8),
                Sha256.hex(canonical),
                manifest.precommitmentSha256Hex(),
                manifest.precommitment().ctvHashHex(),
                manifest.commitmentWitnessLeafHex(),
                (int) manifest.precommitment().chunkIndex(),
                (int) manifest.parentCoinbaseVout(),
                manifest.precommitment().fanoutTxTemplateHex(),
                manifest.fanoutTxHex(),
                manifest.precommitment()
                        .anchorVout()
                        .map(anchor -> OptionalInt.of(anchor.intValue()))
                        .orElse(OptionalInt.empty()),
                manifest.covenantOutputValueSats(),
                manifest.precommitment().fanoutOutputSumSats());
    }
}

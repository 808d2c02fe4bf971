package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.prismpool.app.devnode.chain.ChainRules;
import org.prismpool.app.devnode.mempool.MempoolEntry;
import org.prismpool.app.devnode.mining.TemplateSnapshot;
import org.prismpool.app.devnode.validation.Sigops;
import org.prismpool.app.devnode.validation.WitnessCommitment;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.VersionLayout;

/** Shows a template as {@code getblocktemplate} answers it. */
final class TemplateJson {

    private static final String ANYONE_CAN_SIGN = "51";

    private TemplateJson() {}

    static String longpollId(Hash256 tip, long mempoolChanges) {
        return tip.displayHex() + mempoolChanges;
    }

    static ObjectNode of(TemplateSnapshot template, ChainRules rules) {
        Network network = rules.network();
        CompactTarget target = CompactTarget.ofBits(template.bits());
        ObjectNode json = Json.object();
        json.putArray("capabilities").add("proposal");
        json.put("version", template.version());
        ArrayNode active = json.putArray("rules").add("csv").add("!segwit").add("taproot");
        json.putObject("vbavailable");
        json.put("vbrequired", 0);
        json.put("previousblockhash", template.parent().displayHex());
        json.set("transactions", transactions(template.entries()));
        ObjectNode aux = json.putObject("coinbaseaux");
        if (template.mempoolBumps() > 0) {
            // A bump must be visible to a pool although nothing else of the template changed.
            aux.put("bump", Long.toHexString(template.mempoolBumps()));
        }
        json.put("coinbasevalue", template.coinbaseValueSats())
                .put("longpollid", longpollId(template.parent(), template.mempoolChanges()))
                .put("target", target.target().hex())
                .put("mintime", template.mintime());
        json.putArray("mutable").add("time").add("transactions").add("prevblock");
        json.put("noncerange", "00000000ffffffff")
                .put("sigoplimit", Network.MAX_SIGOPS_COST)
                .put("sizelimit", Network.MAX_BLOCK_WEIGHT)
                .put("weightlimit", Network.MAX_BLOCK_WEIGHT)
                .put("curtime", template.curtime())
                .put("bits", target.hex())
                .put("height", template.height())
                .put("versionrollingmask", VersionLayout.hex(VersionLayout.CHAIN_ID_MASK));
        NodeFacts.addTo(json, network, template.height());
        if (network == Network.SIGNET) {
            active.add("!signet");
            json.put("signet_challenge", ANYONE_CAN_SIGN);
        }
        byte[] commitment = WitnessCommitment.script(template.wtxids(), new byte[Hash256.SIZE]);
        return json.put("default_witness_commitment", Hex.encode(commitment));
    }

    private static ArrayNode transactions(List<MempoolEntry> entries) {
        Map<Hash256, Integer> positions = new HashMap<>();
        ArrayNode list = Json.array();
        for (int i = 0; i < entries.size(); i++) {
            Transaction transaction = entries.get(i).transaction();
            ObjectNode json = list.addObject()
                    .put("data", transaction.hex())
                    .put("txid", transaction.txid().displayHex())
                    .put("hash", transaction.wtxid().displayHex());
            ArrayNode depends = json.putArray("depends");
            TreeSet<Integer> parents = new TreeSet<>();
            for (TransactionInput input : transaction.inputs()) {
                Integer parent = positions.get(input.previousTxid());
                if (parent != null) {
                    parents.add(parent);
                }
            }
            parents.forEach(depends::add);
            json.put("fee", entries.get(i).feeSats())
                    .put("sigops", Sigops.of(transaction))
                    .put("weight", transaction.size());
            positions.put(transaction.txid(), i + 1);
        }
        return list;
    }
}

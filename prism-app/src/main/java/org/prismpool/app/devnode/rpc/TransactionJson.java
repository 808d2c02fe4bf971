package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/** Shows transactions as a node decodes them. */
final class TransactionJson {

    private TransactionJson() {}

    static ObjectNode of(Transaction transaction, Network network) {
        ObjectNode json = Json.object();
        json.put("txid", transaction.txid().displayHex())
                .put("hash", transaction.wtxid().displayHex())
                .put("version", transaction.version())
                .put("size", transaction.size())
                .put("vsize", transaction.size())
                .put("weight", transaction.size())
                .put("locktime", transaction.lockTime());
        ArrayNode vin = json.putArray("vin");
        transaction.inputs().forEach(input -> vin.add(input(input)));
        ArrayNode vout = json.putArray("vout");
        List<TransactionOutput> outputs = transaction.outputs();
        for (int i = 0; i < outputs.size(); i++) {
            ObjectNode output = vout.addObject();
            output.put("value", Json.coins(outputs.get(i).valueSats())).put("n", i);
            output.set("scriptPubKey", script(outputs.get(i).script(), network));
        }
        return json.put("hex", transaction.hex());
    }

    static ObjectNode script(byte[] script, Network network) {
        ObjectNode json = Json.object().put("hex", Hex.encode(script));
        Optional<byte[]> program = P2mrAddress.programOfScript(script);
        if (program.isPresent()) {
            json.put("address", P2mrAddress.of(network, program.get()).text()).put("type", "witness_v2_p2mr");
        } else {
            json.put("type", script.length > 0 && script[0] == 0x6a ? "nulldata" : "nonstandard");
        }
        return json;
    }

    private static ObjectNode input(TransactionInput input) {
        ObjectNode json = Json.object();
        if (input.isNullOutpoint()) {
            json.put("coinbase", Hex.encode(input.scriptSig()));
        } else {
            json.put("txid", input.previousTxid().displayHex()).put("vout", input.previousIndex());
            json.putObject("scriptSig").put("asm", "").put("hex", Hex.encode(input.scriptSig()));
        }
        List<byte[]> witness = input.witness();
        if (!witness.isEmpty()) {
            ArrayNode stack = json.putArray("txinwitness");
            witness.forEach(item -> stack.add(Hex.encode(item)));
        }
        return json.put("sequence", input.sequence());
    }
}

package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.prismpool.app.devnode.chain.BlockTree;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Difficulty;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.VersionLayout;

/** Shows headers and blocks as a node does. Reads the tree, so it is used under the lock only. */
final class BlockJson {

    private BlockJson() {}

    static ObjectNode header(IndexedBlock block, BlockTree tree) {
        BlockHeader header = block.header();
        boolean active = tree.isActive(block);
        ObjectNode json = Json.object()
                .put("hash", block.hash().displayHex())
                .put("confirmations", active ? tree.tip().height() - block.height() + 1 : -1)
                .put("height", block.height())
                .put("version", header.version())
                .put("versionHex", VersionLayout.hex(header.version()))
                .put("merkleroot", header.merkleRoot().displayHex())
                .put("time", header.time())
                .put("mediantime", block.medianTimePast())
                .put("nonce", header.nonce())
                .put("bits", CompactTarget.ofBits(header.bits()).hex())
                .put("target", block.target().hex())
                .put("difficulty", Difficulty.advertised(block.target()))
                .put("chainwork", Json.wide(block.chainWork()))
                .put("nTx", block.body().map(body -> body.transactions().size()).orElse(0));
        block.parent()
                .ifPresent(parent -> json.put("previousblockhash", parent.hash().displayHex()));
        if (active) {
            tree.activeAt(block.height() + 1L)
                    .ifPresent(next -> json.put("nextblockhash", next.hash().displayHex()));
        }
        return json;
    }

    static ObjectNode block(IndexedBlock block, RawBlock body, BlockTree tree, Network network, boolean decoded) {
        ObjectNode json = header(block, tree)
                .put("strippedsize", body.strippedSize())
                .put("size", body.size())
                .put("weight", body.size());
        ArrayNode transactions = json.putArray("tx");
        body.transactions().forEach(transaction -> {
            if (decoded) {
                transactions.add(TransactionJson.of(transaction, network));
            } else {
                transactions.add(transaction.txid().displayHex());
            }
        });
        return json;
    }
}

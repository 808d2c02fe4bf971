package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.app.devnode.mempool.MempoolEntry;
import org.prismpool.app.devnode.mining.BlockFactory;
import org.prismpool.app.devnode.mining.TemplateSnapshot;
import org.prismpool.app.devnode.state.Chainstate;
import org.prismpool.app.devnode.validation.BlockDecoder;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.MalformedBytesException;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;

/** Methods that make the node mine. They solve on the calling thread, without a lock. */
final class GenerateMethods {

    private static final long DEFAULT_TRIES = 1_000_000;
    private static final long LARGEST_BATCH = 10_000;

    private final RpcContext context;

    GenerateMethods(RpcContext context) {
        this.context = context;
    }

    List<RpcMethod> all() {
        return List.of(
                RpcMethod.of("generatetoaddress", List.of("nblocks", "address", "maxtries"), this::toAddress),
                RpcMethod.of("generateblock", List.of("output", "transactions", "submit"), this::withTransactions));
    }

    private JsonNode toAddress(Params params) {
        long count = params.number(0);
        byte[] script = script(params.text(1), "Error: Invalid address");
        long tries = params.number(2, DEFAULT_TRIES);
        if (count < 0 || count > LARGEST_BATCH) {
            throw new RpcException(RpcException.INVALID_PARAMETER, "nblocks out of range");
        }
        ArrayNode hashes = Json.array();
        for (long i = 0; i < count; i++) {
            Optional<Hash256> hash = context.blocks().mineOnTip(script, tries);
            if (hash.isEmpty()) {
                break;
            }
            hashes.add(hash.get().displayHex());
        }
        return hashes;
    }

    private JsonNode withTransactions(Params params) {
        byte[] script = script(params.text(0), "Error: Invalid address or descriptor");
        List<String> wanted = new ArrayList<>();
        params.list(1).forEach(item -> wanted.add(item.asText()));
        TemplateSnapshot template = context.core().locked(chain -> choose(chain, wanted));
        BlockFactory.Mined mined = context.blocks()
                .mineTemplate(template, script, Long.MAX_VALUE)
                .orElseThrow(() -> new RpcException(RpcException.MISC_ERROR, "Failed to make block."));
        Optional<String> reason = mined.verdict().reason();
        if (reason.isPresent()) {
            throw new RpcException(RpcException.VERIFY_ERROR, "TestBlockValidity failed: " + reason.get());
        }
        return Json.object()
                .put("hash", mined.block().hash().displayHex())
                .put("hex", Hex.encode(mined.block().bytes()));
    }

    private static TemplateSnapshot choose(Chainstate chain, List<String> wanted) {
        TemplateSnapshot empty = TemplateSnapshot.emptyOn(chain, chain.tree().tip());
        List<MempoolEntry> chosen = new ArrayList<>();
        long fees = 0;
        for (String item : wanted) {
            MempoolEntry entry =
                    isTransactionId(item) ? waiting(chain, Hash256.ofDisplayHex(item)) : outside(chain, item);
            fees += entry.feeSats();
            chosen.add(entry);
        }
        return empty.with(chosen, empty.coinbaseValueSats() + fees);
    }

    private static boolean isTransactionId(String item) {
        return item.matches("[0-9a-fA-F]{64}");
    }

    private static MempoolEntry waiting(Chainstate chain, Hash256 txid) {
        return chain.mempool()
                .find(txid)
                .orElseThrow(() -> new RpcException(
                        RpcException.NOT_FOUND, "Transaction " + txid.displayHex() + " not in mempool."));
    }

    private static MempoolEntry outside(Chainstate chain, String hex) {
        try {
            Transaction transaction = BlockDecoder.decodeTransaction(hex);
            OptionalLong known = chain.mempool().find(transaction.txid()).stream()
                    .mapToLong(MempoolEntry::feeSats)
                    .findFirst();
            long fee = known.orElseGet(() -> chain.gate().check(transaction).feeSats());
            return new MempoolEntry(transaction, fee, chain.clock().nowSeconds());
        } catch (MalformedBytesException e) {
            throw new RpcException(
                    RpcException.DESERIALIZATION_ERROR,
                    "Transaction decode failed for " + hex + ". Make sure the tx has at least one input.");
        }
    }

    private byte[] script(String address, String refusal) {
        Network network = context.core().locked(chain -> chain.rules().network());
        return P2mrAddress.decode(network, address)
                .map(P2mrAddress::script)
                .orElseThrow(() -> new RpcException(RpcException.NOT_FOUND, refusal));
    }
}

package org.prismpool.stratum.solo;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.prismpool.stratum.AddressLookup;
import org.prismpool.stratum.PayoutAddresses;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/**
 * Decides about payout addresses without a node: bech32m, the chain's prefix, P2MR (spec 02 §4.2). Thread-safe.
 *
 * @param network chain whose addresses are paid
 */
public record LocalAddresses(Network network) implements PayoutAddresses {

    @Override
    public CompletionStage<AddressLookup> lookUp(String address) {
        Optional<AddressLookup> payable = P2mrAddress.decode(network, address)
                .map(decoded -> new AddressLookup.Payable(decoded.text(), decoded.programHex()));
        return CompletableFuture.completedFuture(payable.orElseGet(AddressLookup.NotAnAddress::new));
    }
}

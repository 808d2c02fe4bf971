package org.prismpool.app.composition.backend;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.prismpool.stratum.AddressLookup;
import org.prismpool.stratum.PayoutAddresses;
import org.prismpool.templates.chain.AddressVerdict;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/** Decodes payout addresses locally; the verdict equals the node's {@code validateaddress} (spec 03 §1.3). */
public final class LocalAddresses implements PayoutAddresses {

    private final Network network;

    public LocalAddresses(Network network) {
        this.network = network;
    }

    @Override
    public CompletionStage<AddressLookup> lookUp(String address) {
        Optional<P2mrAddress> decoded = P2mrAddress.decode(network, address);
        if (decoded.isPresent()) {
            return CompletableFuture.completedFuture(new AddressLookup.Payable(
                    decoded.get().text(), decoded.get().programHex()));
        }
        AddressVerdict verdict = P2mrAddress.check(network, address);
        return CompletableFuture.completedFuture(
                verdict.isValid() ? new AddressLookup.NotP2mr() : new AddressLookup.NotAnAddress());
    }
}

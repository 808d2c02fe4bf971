package org.prismpool.payout.coinbase;

import org.prismpool.payout.window.PayoutRuleException;

/**
 * Builds the one coinbase transaction that pays a list of entitlements (payout specification 6). A pure function: the same
 * request always gives the same bytes.
 */
public final class CoinbaseBuilder {

    private CoinbaseBuilder() {}

    /**
     * Builds the coinbase and its manifest.
     *
     * @param request what to pay
     * @return the manifest, transaction included
     * @throws PayoutRuleException with the contract text of the first rule that the request breaks
     */
    public static CoinbaseManifest build(CoinbaseBuildRequest request) {
        return PreparedCoinbase.of(request).manifest(request.witnessNonceHex());
    }
}

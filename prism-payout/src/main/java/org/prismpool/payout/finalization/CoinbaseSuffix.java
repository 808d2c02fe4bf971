package org.prismpool.payout.finalization;

import java.util.HexFormat;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.job.CoinbaseScript;

/** What follows the height push in a submitted coinbase's scriptSig: tag and extranonces. */
final class CoinbaseSuffix {

    private CoinbaseSuffix() {}

    static String of(CandidateIntent.Solution solution) {
        byte[] script;
        try {
            script = Transaction.parse(HexFormat.of().parseHex(solution.coinbaseHex()))
                    .inputs()
                    .get(0)
                    .scriptSig();
        } catch (RuntimeException malformed) {
            throw new AuditMismatchException("the submitted coinbase can't be read", malformed);
        }
        String hex = HexFormat.of().formatHex(script);
        String height = HexFormat.of().formatHex(CoinbaseScript.heightPush(solution.height()));
        if (!hex.startsWith(height)) {
            throw new AuditMismatchException("the submitted coinbase pushes another height");
        }
        return hex.substring(height.length());
    }
}

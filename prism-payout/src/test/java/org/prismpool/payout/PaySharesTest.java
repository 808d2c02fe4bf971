package org.prismpool.payout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;

class PaySharesTest {

    @Test
    void theExampleOfTheReadmePaysInProportionToWork() {
        List<WindowShare> shares = List.of(share(1, "alice", "01", 3000), share(2, "bob", "02", 1000));

        List<String> explanation = PayShares.pay(shares, 1_000_000, SigningSeed.of(seed(1)), SigningSeed.of(seed(2)));

        assertThat(explanation)
                .contains("Of it 3000 is this recipient's, 75 %.", "Its part of the reward is 1575000000 sats.");
    }

    private static WindowShare share(long seq, String miner, String program, long difficulty) {
        PayoutIdentity identity = new PayoutIdentity(miner, miner, program.repeat(32));
        long time = 1_700_000_000_000L + seq;
        return new WindowShare(
                seq,
                "share-" + seq,
                identity,
                U128.ofUnsigned(difficulty),
                U128.ONE,
                69_999,
                "job",
                time,
                time,
                0,
                Optional.empty());
    }

    private static byte[] seed(int value) {
        byte[] seed = new byte[32];
        seed[31] = (byte) value;
        return seed;
    }
}

package org.prismpool.payout.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WeightedEntitlement;

class MaturityEntryTest {

    private static final PayoutPolicyManifest MANIFEST = manifest(100_000, 30_000, 60_000);

    @Test
    void anEntryAtHeight100IsReversibleAtTip1099AndFinalAt1100() {
        List<MaturityEntry> entries = MaturityEntry.of("block", 100, MANIFEST);

        assertThat(states(MaturityEntry.matureAt(entries, 1099))).containsOnly(MaturityEntry.State.IMMATURE);
        assertThat(states(MaturityEntry.matureAt(entries, 1100))).containsOnly(MaturityEntry.State.MATURE);
        assertThat(states(MaturityEntry.disconnect(entries, Set.of("block"), 1099)))
                .containsOnly(MaturityEntry.State.REVERSED);
        assertThatThrownBy(() -> MaturityEntry.disconnect(entries, Set.of("block"), 1100))
                .hasMessage("disconnect would reverse matured payout entry for block block");
    }

    @Test
    void reversingTwiceChangesNothingButNeverAfterTheBlockIsFinal() {
        List<MaturityEntry> reversed =
                MaturityEntry.disconnect(MaturityEntry.of("block", 100, MANIFEST), Set.of("block"), 150);

        assertThat(MaturityEntry.disconnect(reversed, Set.of("block"), 151)).isEqualTo(reversed);
        assertThatThrownBy(() -> MaturityEntry.disconnect(reversed, Set.of("block"), 1100))
                .hasMessage("disconnect would reverse matured payout entry for block block");
    }

    @Test
    void aMatureEntryIsNeverReversedHoweverLowTheTip() {
        List<MaturityEntry> mature = MaturityEntry.matureAt(MaturityEntry.of("block", 100, MANIFEST), 1100);

        assertThatThrownBy(() -> MaturityEntry.disconnect(mature, Set.of("block"), 150))
                .hasMessage("disconnect would reverse matured payout entry for block block");
    }

    @Test
    void reversedBlocksOweNothingAndSettlementFeesCreateNoBalance() {
        List<MaturityEntry> entries = MaturityEntry.of("block", 100, MANIFEST);
        List<PriorBalance> owed = MaturityEntry.currentBalances(entries);

        assertThat(owed.stream().map(PriorBalance::balanceSats))
                .containsExactly(BigInteger.valueOf(7_895), BigInteger.valueOf(-7_895));
        assertThat(MaturityEntry.owedBalances(entries).stream().map(PriorBalance::balanceSats))
                .containsExactly(BigInteger.valueOf(7_895), BigInteger.ZERO);
        List<MaturityEntry> withFees = new ArrayList<>();
        entries.forEach(each -> withFees.add(new MaturityEntry(
                each.blockHash(), each.blockHeight(), each.account().withSettlementFee(500), each.state())));
        assertThat(MaturityEntry.currentBalances(withFees)).isEqualTo(owed);
        assertThat(MaturityEntry.currentBalances(MaturityEntry.disconnect(entries, Set.of("block"), 100)))
                .isEmpty();
    }

    private static List<MaturityEntry.State> states(List<MaturityEntry> entries) {
        return entries.stream().map(MaturityEntry::state).toList();
    }

    private static PayoutPolicyManifest manifest(long value, long priorA, long priorB) {
        PayoutIdentity a = new PayoutIdentity("a", "01", "01".repeat(32));
        PayoutIdentity b = new PayoutIdentity("b", "02", "02".repeat(32));
        return PayoutPolicyManifest.of(
                new FoundBlock(100, value, U128.ONE, 0),
                List.of(new WeightedEntitlement(a, U128.ONE), new WeightedEntitlement(b, U128.ONE)),
                List.of(PriorBalance.of(a, BigInteger.valueOf(priorA)), PriorBalance.of(b, BigInteger.valueOf(priorB))),
                PayoutPolicy.DAY_ONE);
    }
}

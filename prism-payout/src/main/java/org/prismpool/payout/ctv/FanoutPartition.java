package org.prismpool.payout.ctv;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.window.PayoutIdentity;

/** Decides who is paid in the coinbase and who by fanouts (settlement specification 5). Independent of input order. */
public final class FanoutPartition {

    private static final Comparator<SettlementRecipient> ACCOUNT_ORDER =
            (a, b) -> PayoutIdentity.ACCOUNT_ORDER.compare(a.identity(), b.identity());
    private static final String OVERFLOW = "cannot select a settlement mode: settlement amount overflowed";

    private FanoutPartition() {}

    /**
     * Decides.
     *
     * @param recipients everyone whom the block pays, in any order; programs in either case
     * @param directFloorSats smallest amount paid in the coinbase, unsigned 64 bits
     * @param limits limits of coinbase and fanouts
     * @param pinned a recipient that is paid in the coinbase whatever its amount; empty for none
     * @return the decision
     * @throws org.prismpool.payout.window.PayoutRuleException with the contract text of the first rule that is broken
     */
    public static SettlementDecision decide(
            List<SettlementRecipient> recipients,
            long directFloorSats,
            SettlementLimits limits,
            Optional<PayoutIdentity> pinned) {
        limits.check();
        if (recipients.isEmpty()) {
            throw CtvErrors.settlement("no recipients to settle");
        }
        List<SettlementRecipient> canonical = canonical(recipients);
        Optional<PayoutIdentity> pin = pinned.map(each -> each.withProgramHex(each.programKey()));
        checkPin(canonical, limits, pin);
        long total = sum(canonical);
        List<SettlementRecipient> candidates = new ArrayList<>();
        for (SettlementRecipient each : canonical) {
            if (Long.compareUnsigned(each.amountSats(), directFloorSats) >= 0
                    && !pin.equals(Optional.of(each.identity()))) {
                candidates.add(each);
            }
        }
        candidates.sort(
                (a, b) -> Long.compareUnsigned(b.amountSats(), a.amountSats())); // stable: ties in account order
        int directCount = directCount(canonical.size(), candidates.size(), limits, pin.isPresent());
        Set<PayoutIdentity> chosen = new HashSet<>();
        candidates.subList(0, directCount).forEach(each -> chosen.add(each.identity()));
        pin.ifPresent(chosen::add);
        List<SettlementRecipient> direct = new ArrayList<>();
        List<SettlementRecipient> fanout = new ArrayList<>();
        canonical.forEach(each -> (chosen.contains(each.identity()) ? direct : fanout).add(each));
        return decision(direct, fanout, total, new Terms(directFloorSats, limits, pin.isPresent()));
    }

    private record Terms(long directFloorSats, SettlementLimits limits, boolean pinned) {}

    private static List<SettlementRecipient> canonical(List<SettlementRecipient> recipients) {
        List<SettlementRecipient> canonical = new ArrayList<>(recipients.size());
        for (SettlementRecipient each : recipients) {
            PayoutIdentity identity = each.identity();
            String who = "recipient " + identity.recipientId() + " p2mr_program_hex must be ";
            try {
                int length = Hex.decode(identity.programHex()).length;
                if (length != 32) {
                    throw CtvErrors.settlement(who + "32 bytes, got " + length);
                }
            } catch (Hex.MalformedHexException e) {
                throw CtvErrors.settlement(who + "hex: " + e.reason());
            }
            canonical.add(new SettlementRecipient(identity.withProgramHex(identity.programKey()), each.amountSats()));
        }
        canonical.sort(ACCOUNT_ORDER);
        for (int i = 0; i < canonical.size(); i++) {
            SettlementRecipient each = canonical.get(i);
            if (each.amountSats() == 0) {
                throw CtvErrors.settlement("recipient " + each.identity().recipientId() + " amount must be positive");
            }
            if (i > 0 && canonical.get(i - 1).identity().equals(each.identity())) {
                throw CtvErrors.settlement(
                        "duplicate settlement recipient " + each.identity().recipientId());
            }
        }
        return canonical;
    }

    private static void checkPin(
            List<SettlementRecipient> canonical, SettlementLimits limits, Optional<PayoutIdentity> pin) {
        if (pin.isEmpty()) {
            return;
        }
        if (limits.maxDirectCoinbaseOutputs() == 0) {
            throw CtvErrors.settlement("pinned direct recipient requires max_direct_coinbase_outputs >= 1");
        }
        if (canonical.stream().noneMatch(each -> each.identity().equals(pin.get()))) {
            throw CtvErrors.settlement(
                    "pinned direct recipient " + pin.get().recipientId() + " is not among the settlement recipients");
        }
    }

    private static int directCount(int recipients, int candidates, SettlementLimits limits, boolean pinned) {
        int pins = pinned ? 1 : 0;
        long most = Math.min(candidates, Math.max(0, limits.maxDirectCoinbaseOutputs() - pins));
        long chunkSize = limits.maxFanoutRecipientsPerTransaction();
        for (long direct = most; direct >= 0; direct--) {
            long left = recipients - pins - direct;
            long chunks = (left + chunkSize - 1) / chunkSize;
            if (limits.reservedCoinbaseOutputs() + pins + direct + chunks <= limits.maxCoinbaseSettlementOutputs()) {
                return (int) direct;
            }
        }
        throw CtvErrors.settlement("recipient partition requires more than " + limits.maxCoinbaseSettlementOutputs()
                + " coinbase settlement outputs");
    }

    private static SettlementDecision decision(
            List<SettlementRecipient> direct, List<SettlementRecipient> fanout, long total, Terms terms) {
        int chunkSize = (int) terms.limits().maxFanoutRecipientsPerTransaction();
        List<FanoutChunk> chunks = new ArrayList<>();
        for (int from = 0; from < fanout.size(); from += chunkSize) {
            List<SettlementRecipient> members = fanout.subList(from, Math.min(fanout.size(), from + chunkSize));
            chunks.add(new FanoutChunk(chunks.size(), members.size(), sum(members), members));
        }
        SettlementMode mode = chunks.isEmpty()
                ? SettlementMode.DIRECT_COINBASE
                : direct.isEmpty() ? SettlementMode.CTV_FANOUT : SettlementMode.HYBRID_COINBASE_CTV_FANOUT;
        long reserved = terms.limits().reservedCoinbaseOutputs();
        long used = reserved + direct.size() + chunks.size();
        return new SettlementDecision(
                mode,
                direct,
                chunks,
                direct.size(),
                fanout.size(),
                chunks.size(),
                sum(direct),
                sum(fanout),
                total,
                used,
                reserved,
                reason(mode, direct.size(), fanout.size(), chunks.size(), used, terms));
    }

    private static String reason(SettlementMode mode, int direct, int fanout, int chunks, long used, Terms terms) {
        long max = terms.limits().maxCoinbaseSettlementOutputs();
        String routed = fanout + " recipients routed to " + chunks + " CTV fanout chunk(s)";
        String reason = switch (mode) {
            case DIRECT_COINBASE ->
                direct + " recipients meet the "
                        + Long.toUnsignedString(terms.directFloorSats())
                        + "-sat direct floor and fit within the " + max + "-output coinbase settlement cap";
            case CTV_FANOUT ->
                routed + " capped at " + terms.limits().maxFanoutRecipientsPerTransaction() + " recipients each; "
                        + used + " coinbase settlement outputs used";
            case HYBRID_COINBASE_CTV_FANOUT ->
                direct
                        + " recipients paid directly by largest-liability priority; " + routed + "; " + used
                        + " of " + max + " coinbase settlement outputs used";
        };
        return terms.pinned() ? reason + "; 1 direct settlement slot(s) pinned by the coinbase output policy" : reason;
    }

    private static long sum(List<SettlementRecipient> recipients) {
        long sum = 0;
        for (SettlementRecipient each : recipients) {
            sum = CtvErrors.addExact(sum, each.amountSats(), OVERFLOW);
        }
        return sum;
    }
}

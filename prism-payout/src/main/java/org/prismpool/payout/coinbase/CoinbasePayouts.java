package org.prismpool.payout.coinbase;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.json.Utf8Order;
import org.prismpool.payout.reward.LargestRemainder;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WeightedEntitlement;
import org.prismpool.templates.chain.ByteWriter;

/**
 * Who a coinbase pays what, output by output.
 *
 * @param totalWeight sum of the entitlements' weights
 * @param outputs the outputs in order
 * @param encoded the outputs as they lie in the transaction
 */
record CoinbasePayouts(U128 totalWeight, List<CoinbaseOutput> outputs, byte[] encoded) {

    private static final int PROGRAM_SIZE = 32;
    private static final int OUTPUT_SIZE = 43;

    static CoinbasePayouts of(CoinbaseBuildRequest request) {
        if (request.coinbaseValueSats() == 0) {
            throw new PayoutRuleException("coinbase value must be positive");
        }
        if (request.entitlements().isEmpty()) {
            throw new PayoutRuleException("at least one entitlement is required");
        }
        List<WeightedEntitlement> ordered = ordered(request);
        U128 totalWeight = totalWeight(ordered);
        List<byte[]> programs = programs(ordered);
        long[] amounts = allocate(request.coinbaseValueSats(), ordered, programs);
        List<CoinbaseOutput> outputs = new ArrayList<>(amounts.length);
        ByteWriter encoded = new ByteWriter(OUTPUT_SIZE * amounts.length);
        for (int i = 0; i < amounts.length; i++) {
            WeightedEntitlement entitlement = ordered.get(i);
            encoded.i64(amounts[i]).u8(0x22).u8(0x52).u8(0x20).bytes(programs.get(i));
            String programHex = entitlement.identity().programKey(); // what encoding the program again would give
            PayoutIdentity identity = entitlement.identity().withProgramHex(programHex);
            outputs.add(new CoinbaseOutput(
                    i, identity, CoinbaseTransaction.scriptHex(programHex), entitlement.weight(), amounts[i]));
        }
        return new CoinbasePayouts(totalWeight, List.copyOf(outputs), encoded.toByteArray());
    }

    private static List<WeightedEntitlement> ordered(CoinbaseBuildRequest request) {
        List<WeightedEntitlement> ordered = new ArrayList<>(request.entitlements());
        ordered.sort((a, b) -> PayoutIdentity.ACCOUNT_ORDER.compare(a.identity(), b.identity()));
        request.pinnedFirstOutput().ifPresent(pinned -> ordered.add(0, ordered.remove(indexOf(pinned, ordered))));
        return ordered;
    }

    private static int indexOf(PayoutIdentity pinned, List<WeightedEntitlement> ordered) {
        int found = -1;
        for (int i = 0; i < ordered.size(); i++) {
            PayoutIdentity identity = ordered.get(i).identity();
            if (identity.recipientId().equals(pinned.recipientId())
                    && identity.orderKey().equals(pinned.orderKey())
                    && Hex.equalsIgnoringAsciiCase(identity.programHex(), pinned.programHex())) {
                if (found >= 0) {
                    throw new PayoutRuleException(
                            "pinned first output " + pinned.recipientId() + " matches multiple coinbase entitlements");
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new PayoutRuleException(
                    "pinned first output " + pinned.recipientId() + " is not among the coinbase entitlements");
        }
        return found;
    }

    private static U128 totalWeight(List<WeightedEntitlement> ordered) {
        U128 total = U128.ZERO;
        for (WeightedEntitlement each : ordered) {
            if (each.weight().isZero()) {
                throw new PayoutRuleException("entitlement weight must be positive for recipient "
                        + each.identity().recipientId());
            }
            try {
                total = total.plus(each.weight());
            } catch (ArithmeticException e) {
                throw new PayoutRuleException("total entitlement weight overflowed u128");
            }
        }
        return total;
    }

    private static List<byte[]> programs(List<WeightedEntitlement> ordered) {
        List<byte[]> programs = new ArrayList<>(ordered.size());
        for (WeightedEntitlement each : ordered) {
            String recipient = each.identity().recipientId();
            try {
                programs.add(sized(Hex.decode(each.identity().programHex()), recipient));
            } catch (Hex.MalformedHexException e) {
                throw invalidProgram(recipient, e.reason());
            }
        }
        return programs;
    }

    private static long[] allocate(long value, List<WeightedEntitlement> ordered, List<byte[]> programs) {
        Integer[] byTie = new Integer[ordered.size()];
        List<U128> weights = new ArrayList<>(byTie.length);
        for (int i = 0; i < byTie.length; i++) {
            byTie[i] = i;
            weights.add(ordered.get(i).weight());
        }
        Arrays.sort(
                byTie,
                (a, b) -> compareTie(
                        ordered.get(a).identity(),
                        programs.get(a),
                        ordered.get(b).identity(),
                        programs.get(b)));
        int[] ranks = new int[byTie.length];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[byTie[rank]] = rank;
        }
        try {
            return LargestRemainder.allocate(value, weights, ranks);
        } catch (ArithmeticException e) {
            throw new PayoutRuleException("allocation arithmetic overflowed");
        }
    }

    private static int compareTie(PayoutIdentity a, byte[] aProgram, PayoutIdentity b, byte[] bProgram) {
        int order = Utf8Order.compare(a.orderKey(), b.orderKey());
        if (order == 0) {
            order = Utf8Order.compare(a.recipientId(), b.recipientId());
        }
        return order != 0 ? order : Arrays.compareUnsigned(aProgram, bProgram);
    }

    /** Demands 32 bytes; whose program or what else they are is part of the message. */
    static byte[] sized(byte[] bytes, String what) {
        if (bytes.length != PROGRAM_SIZE) {
            throw invalidProgram(what, "expected 32 bytes, got " + bytes.length);
        }
        return bytes;
    }

    private static PayoutRuleException invalidProgram(String recipient, String reason) {
        return new PayoutRuleException("invalid P2MR program hex for recipient " + recipient + ": " + reason);
    }
}

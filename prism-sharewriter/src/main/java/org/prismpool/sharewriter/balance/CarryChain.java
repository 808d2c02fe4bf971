package org.prismpool.sharewriter.balance;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.block.PayoutAccount;

/**
 * Recomputes the chain of balances over the active journal rows and hashes it (ledger contract §5.4). Feed rows by
 * height, then sequence.
 *
 * <p>Single-threaded. Memory follows the number of accounts and mismatches, not of rows.
 */
public final class CarryChain {

    private static final int HASH_LENGTH = 32;

    private final MessageDigest sha256;
    private final Map<Partition, BigInteger> balances = new HashMap<>();
    private final List<CarryMismatch> mismatches = new ArrayList<>();
    private byte[] head = new byte[HASH_LENGTH];
    private long rows;

    /** Creates an empty chain. */
    public CarryChain() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private record Partition(String minerId, String orderKey, P2mrProgram program) {}

    /**
     * Adds the next row.
     *
     * @param row active row
     */
    public void add(CarryRow row) {
        rows++;
        sha256.update(head);
        head = sha256.digest(canonical(row).getBytes(StandardCharsets.US_ASCII));
        PayoutAccount account = row.account();
        Partition partition = new Partition(account.minerId(), account.orderKey(), account.program());
        BigInteger prior = balances.getOrDefault(partition, BigInteger.ZERO);
        BigInteger candidate = prior.add(BigInteger.valueOf(account.grossSats()));
        BigInteger carried = candidate.subtract(BigInteger.valueOf(account.onchainSats()));
        balances.put(partition, carried);
        StringJoiner reason = new StringJoiner(",");
        if (!account.priorSats().equals(prior)) {
            reason.add("prior_balance");
        }
        if (!account.candidateSats().equals(candidate)) {
            reason.add("candidate_balance");
        }
        if (!account.carryForwardSats().equals(carried)) {
            reason.add("carry_forward_balance");
        }
        if (reason.length() > 0) {
            mismatches.add(new CarryMismatch(row, prior, candidate, carried, reason.toString()));
        }
    }

    /**
     * Completes the report.
     *
     * @param drift differences of the maintained summary
     * @return the report over all rows added so far
     */
    public IntegrityReport report(List<CarryDrift> drift) {
        return new IntegrityReport(rows, mismatches, drift, rows, HexFormat.of().formatHex(head));
    }

    /** Sorted keys, no blanks, non-ASCII escaped; balances are strings. */
    private static String canonical(CarryRow row) {
        PayoutAccount account = row.account();
        return "{\"action\":\"" + account.action().text() + "\",\"block_hash\":\"" + escape(row.blockHash())
                + "\",\"block_height\":" + row.blockHeight() + ",\"candidate_balance_sats\":\""
                + account.candidateSats() + "\",\"carry_forward_balance_sats\":\"" + account.carryForwardSats()
                + "\",\"carry_forward_seq\":" + row.sequence() + ",\"gross_amount_sats\":" + account.grossSats()
                + ",\"maturity_state\":\"" + row.maturity().text() + "\",\"onchain_amount_sats\":"
                + account.onchainSats() + ",\"order_key\":\"" + escape(account.orderKey())
                + "\",\"p2mr_program_hex\":\"" + account.program().hex() + "\",\"prior_balance_sats\":\""
                + account.priorSats() + "\",\"recipient_id\":\"" + escape(account.minerId())
                + "\",\"settlement_fee_sats\":" + account.settlementFeeSats() + "}";
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> escaped.append("\\\"");
                case '\\' -> escaped.append("\\\\");
                case '\b' -> escaped.append("\\b");
                case '\f' -> escaped.append("\\f");
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                default -> {
                    if (c < 0x20 || c > 0x7e) {
                        escaped.append(String.format("\\u%04x", (int) c));
                    } else {
                        escaped.append(c);
                    }
                }
            }
        }
        return escaped.toString();
    }
}

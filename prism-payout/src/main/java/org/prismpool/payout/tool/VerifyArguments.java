package org.prismpool.payout.tool;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Arguments of a bundle verification.
 *
 * @param path file of the bundle
 * @param coinbaseTxHex coinbase transaction on the chain, or empty
 * @param coinbaseTxHexFile file that holds it, or empty; used if the text is absent
 * @param ledgerWriterPublicKeyHex trusted ledger key
 * @param expectedCoinbaseValueSats subsidy and fees of the block, unsigned 64 bits, or empty
 * @param help print the usage and do nothing
 */
record VerifyArguments(
        Optional<String> path,
        Optional<String> coinbaseTxHex,
        Optional<String> coinbaseTxHexFile,
        Optional<String> ledgerWriterPublicKeyHex,
        OptionalLong expectedCoinbaseValueSats,
        boolean help) {

    static VerifyArguments parse(List<String> arguments) {
        Optional<String> path = Optional.empty();
        Optional<String> tx = Optional.empty();
        Optional<String> txFile = Optional.empty();
        Optional<String> key = Optional.empty();
        OptionalLong value = OptionalLong.empty();
        ArgumentCursor cursor = new ArgumentCursor(arguments);
        while (cursor.hasNext()) {
            String argument = cursor.next();
            switch (argument) {
                case "--coinbase-tx-hex" -> tx = Optional.of(cursor.value("--coinbase-tx-hex requires a hex argument"));
                case "--coinbase-tx-hex-file" ->
                    txFile = Optional.of(cursor.value("--coinbase-tx-hex-file requires a path argument"));
                case "--ledger-writer-public-key-hex" ->
                    key = Optional.of(cursor.value("--ledger-writer-public-key-hex requires a hex argument"));
                case "--expected-coinbase-value-sats" ->
                    value = OptionalLong.of(
                            sats(cursor.value("--expected-coinbase-value-sats requires a sats argument")));
                case "-h", "--help" -> {
                    return new VerifyArguments(path, tx, txFile, key, value, true);
                }
                default -> {
                    if (path.isPresent()) {
                        throw ArgumentCursor.unexpected(argument);
                    }
                    path = Optional.of(argument);
                }
            }
        }
        return new VerifyArguments(path, tx, txFile, key, value, false);
    }

    void check() {
        if (path.isEmpty()) {
            throw new ToolFailure("missing audit bundle JSON path");
        }
        if (coinbaseTxHex.isEmpty() && coinbaseTxHexFile.isEmpty()) {
            throw new ToolFailure("--coinbase-tx-hex is required");
        }
        if (ledgerWriterPublicKeyHex.isEmpty()) {
            throw new ToolFailure("--ledger-writer-public-key-hex is required");
        }
    }

    private static long sats(String text) {
        if (text.isEmpty()) {
            throw new ToolFailure("cannot parse integer from empty string");
        }
        String digits = text.startsWith("+") ? text.substring(1) : text;
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new ToolFailure("invalid digit found in string");
        }
        String significant = digits.replaceFirst("^0+", "");
        if (significant.length() > 20 || new BigInteger("0" + significant).bitLength() > 64) {
            throw new ToolFailure("number too large to fit in target type");
        }
        return new BigInteger("0" + significant).longValue();
    }
}

package org.prismpool.templates.chain;

import java.util.Arrays;

/**
 * One output of a transaction.
 *
 * @param valueSats amount in base units; zero or more in a valid transaction, not checked here
 * @param script output script; copied in and out
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out
public record TransactionOutput(long valueSats, byte[] script) {

    /** Copies the script. */
    public TransactionOutput {
        script = script.clone();
    }

    @Override
    public byte[] script() {
        return script.clone();
    }

    /**
     * Returns the script as text.
     *
     * @return lower-case hex
     */
    public String scriptHex() {
        return Hex.encode(script);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TransactionOutput output
                && valueSats == output.valueSats
                && Arrays.equals(script, output.script);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(valueSats) * 31 + Arrays.hashCode(script);
    }

    @Override
    public String toString() {
        return "TransactionOutput[" + valueSats + ", " + scriptHex() + "]";
    }
}

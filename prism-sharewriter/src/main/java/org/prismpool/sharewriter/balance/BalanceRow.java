package org.prismpool.sharewriter.balance;

import java.math.BigInteger;
import org.prismpool.sharewriter.P2mrProgram;

/**
 * Carried balance of one payout program.
 *
 * @param minerId label: the first miner id of the program by order key and id
 * @param orderKey order key of that label
 * @param program payout program
 * @param balanceSats balance in base units, never 0; negative after a prior balance was paid twice
 */
public record BalanceRow(String minerId, String orderKey, P2mrProgram program, BigInteger balanceSats) {}

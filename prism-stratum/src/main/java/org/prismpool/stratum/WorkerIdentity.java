package org.prismpool.stratum;

import java.util.Optional;

/**
 * Who a session works for (spec 02 §4.1).
 *
 * @param username full name as sent, {@code <payout address>[.<worker>]}; the identity for limits, metrics and duplicates
 * @param payoutAddress canonical lower-case address that is credited
 * @param workerName part of the username after the first dot, or empty without a dot
 * @param programHex the address's 32-byte P2MR program in lower-case hex
 */
public record WorkerIdentity(String username, String payoutAddress, Optional<String> workerName, String programHex) {}

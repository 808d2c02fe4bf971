package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.reward.PayoutAccount;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/**
 * Says in words why a recipient got what it got, from the figures of a bundle. It explains what the bundle states; whether
 * that is true is the question of {@link AuditVerifier}.
 */
public final class PayoutExplanation {

    private final boolean recipient;
    private final List<String> lines;

    private PayoutExplanation(boolean recipient, List<String> lines) {
        this.recipient = recipient;
        this.lines = List.copyOf(lines);
    }

    /**
     * Explains the payout of one recipient.
     *
     * @param bundle the bundle
     * @param recipient a payout address of any network, a program in hexadecimal text, or a recipient id
     * @return the explanation; if the block has no such recipient it says why
     */
    public static PayoutExplanation of(AuditBundle bundle, String recipient) {
        String program = programOf(recipient);
        return find(bundle, program, recipient)
                .map(account -> new PayoutExplanation(true, new AccountExplanation(bundle, account).compose()))
                .orElseGet(() -> new PayoutExplanation(false, absent(bundle, program, recipient)));
    }

    /**
     * Returns whether the block has an account of the recipient.
     *
     * @return false if {@link #lines} says why there is none
     */
    public boolean isRecipient() {
        return recipient;
    }

    /**
     * Returns the explanation.
     *
     * @return whole sentences, one or more to a line
     */
    public List<String> lines() {
        return lines;
    }

    private static List<String> absent(AuditBundle bundle, String given, String recipient) {
        String program = bundle.shares().stream()
                .filter(share -> share.identity().recipientId().equals(recipient))
                .map(share -> share.identity().programKey())
                .findFirst()
                .orElse(given);
        ShareStanding standing = ShareStanding.of(bundle, program);
        List<String> lines = new ArrayList<>();
        lines.add("this block has no recipient " + recipient + ": no share of it counts and nothing was owed to it"
                + " before.");
        lines.addAll(standing.lines());
        if (standing.late() + standing.older() == 0) {
            lines.add("None of the " + bundle.shares().size() + " listed shares is its own.");
        }
        return lines;
    }

    private static Optional<PayoutAccount> find(AuditBundle bundle, String program, String recipient) {
        List<PayoutAccount> accounts = bundle.payoutPolicyManifest().accounts();
        return accounts.stream()
                .filter(each -> program.equals(each.identity().programKey()))
                .findFirst()
                .or(() -> accounts.stream()
                        .filter(each -> each.identity().recipientId().equals(recipient))
                        .findFirst());
    }

    private static String programOf(String recipient) {
        for (Network network : Network.values()) {
            Optional<P2mrAddress> address = P2mrAddress.decode(network, recipient);
            if (address.isPresent()) {
                return address.get().programHex();
            }
        }
        return Hex.asciiLowerCase(recipient);
    }
}

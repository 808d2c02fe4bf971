package org.prismpool.templates.block;

/** What the node said to a block, or why it was not asked (spec 03 §6.4). Only the chain decides what it means. */
public sealed interface OfferOutcome {

    /**
     * Tells whether the node has seen the block, as far as this process knows.
     *
     * @return true unless it was certainly not sent
     */
    default boolean offered() {
        return true;
    }

    /**
     * Tells whether the answer still speaks for the block: null or {@code duplicate}. Every other answer frees the
     * capacity slot at once.
     *
     * @return true if the block may be on the active chain by this answer
     */
    default boolean mayHaveLanded() {
        return false;
    }

    /** The node answered null: accepted and connected. */
    record Accepted() implements OfferOutcome {
        @Override
        public boolean mayHaveLanded() {
            return true;
        }
    }

    /** The node has the block already, on the active chain or on a side branch. */
    record Duplicate() implements OfferOutcome {
        @Override
        public boolean mayHaveLanded() {
            return true;
        }
    }

    /**
     * The node stored the block without making it its tip.
     *
     * @param text the node's answer
     */
    record Inconclusive(String text) implements OfferOutcome {}

    /**
     * The node refused the block.
     *
     * @param text the node's answer
     */
    record Refused(String text) implements OfferOutcome {}

    /**
     * The answer is lost or never came: offered again later.
     *
     * @param detail what happened
     * @param sent whether the block may have reached the node
     */
    record Undecided(String detail, boolean sent) implements OfferOutcome {
        @Override
        public boolean offered() {
            return sent;
        }

        @Override
        public boolean mayHaveLanded() {
            return true;
        }
    }

    /**
     * Not sent and not to be sent: the parent is dead or the pool is closed.
     *
     * @param reason why, unless the chain proves the block active
     */
    record NotOffered(AbandonReason reason) implements OfferOutcome {
        @Override
        public boolean offered() {
            return false;
        }
    }

    /** Not sent yet: a candidate of an earlier process, whose window accounting checks before it offers. */
    record Unoffered() implements OfferOutcome {
        @Override
        public boolean offered() {
            return false;
        }
    }

    /** Stored on a side branch for so long that a reorganization to it is given up. */
    record Buried() implements OfferOutcome {}

    /**
     * Reads the node's answer to a submission.
     *
     * @param answer text other than null
     * @return its meaning; an unknown text is a refusal, which the evidence may still overrule
     */
    static OfferOutcome ofAnswer(String answer) {
        return switch (answer) {
            case "duplicate" -> new Duplicate();
            case "inconclusive", "duplicate-inconclusive", "inconclusive-not-best-prevblk" -> new Inconclusive(answer);
            default -> new Refused(answer);
        };
    }
}

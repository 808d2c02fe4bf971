package org.prismpool.templates.block;

/**
 * Port to the payout preview of one candidate. Called on the thread that decides about the candidate; may block.
 */
public interface PreviewSwitch {

    /** Does nothing, for a candidate without a preview. */
    PreviewSwitch NONE = new PreviewSwitch() {
        @Override
        public void withdraw() {}

        @Override
        public void restore() {}
    };

    /** Takes the preview back, so that no child job builds on the candidate's balances. */
    void withdraw();

    /** Publishes the withdrawn preview again. */
    void restore();
}

package org.prismpool.app.composition.work;

import org.prismpool.bundle.BundleService;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.templates.TemplateRepository;
import org.prismpool.templates.rpc.NodeRpc;

/** The owners that current work comes from. */
public record WorkOwners(
        PayoutState payout,
        BundleService bundles,
        TemplateRepository templates,
        NodeRpc node,
        WorkEncodings encodings) {}

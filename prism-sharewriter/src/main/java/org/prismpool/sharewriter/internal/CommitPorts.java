package org.prismpool.sharewriter.internal;

import org.prismpool.sharewriter.AcceptedStats;
import org.prismpool.sharewriter.CommitGate;
import org.prismpool.sharewriter.ShareWriterEvents;
import org.prismpool.sharewriter.ShareWriterMetrics;

/**
 * Everything the commit loop tells or asks others.
 *
 * @param gate passed by each batch
 * @param stats counts new shares
 * @param events liveness and loss
 * @param metrics numbers
 */
public record CommitPorts(CommitGate gate, AcceptedStats stats, ShareWriterEvents events, ShareWriterMetrics metrics) {}

package org.prismpool.templates.example;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.BlockTemplate;
import org.prismpool.templates.TemplateMetrics;
import org.prismpool.templates.TemplateOutcome;
import org.prismpool.templates.TemplateRepository;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;
import org.prismpool.templates.job.CoinbaseScript;
import org.prismpool.templates.job.CoinbaseSplit;
import org.prismpool.templates.job.WitnessCommitment;
import org.prismpool.templates.job.WorkTemplate;
import org.prismpool.templates.rpc.HttpNodeRpc;
import org.prismpool.templates.rpc.RpcEndpoint;

/** Watches a node and prints the coinbase split of each new job; the example of the module's README. */
final class WatchNode {

    private WatchNode() {}

    static void watch(RpcEndpoint node, P2mrAddress payTo, int blocks, PrintStream out) {
        MonotonicClock clock = MonotonicClock.system();
        TemplateRepository.Config config = new TemplateRepository.Config(Network.REGTEST, Duration.ofSeconds(2), 0);
        try (HttpNodeRpc rpc = HttpNodeRpc.to(node)) {
            TemplateRepository templates = new TemplateRepository(config, rpc, clock, TemplateMetrics.NONE);
            Hash256 tip = Hash256.ZERO;
            for (int seen = 0; seen < blocks; ) {
                Deadline deadline = Deadline.after(Duration.ofSeconds(30), clock, "watch");
                tip = rpc.waitForNewBlock(Duration.ofSeconds(5), tip, deadline).orElse(tip);
                if (templates.fetch(deadline, CancelSignal.never()) instanceof TemplateOutcome.Fetched fetched) {
                    WorkTemplate work =
                            fetched.current().work(split(fetched.current().template(), payTo));
                    out.println(work.height() + " " + work.coinbase().coinb1Hex() + " .. "
                            + work.coinbase().coinb2Hex());
                    seen++;
                }
            }
        }
    }

    private static CoinbaseSplit split(BlockTemplate template, P2mrAddress payTo) {
        long height = template.terms().height();
        byte[] reserved = new byte[32];
        Hash256 commitment = WitnessCommitment.commit(template.transactions().witnessRoot(), reserved);
        Transaction coinbase = Transaction.of(
                2,
                List.of(new TransactionInput(
                        Hash256.ZERO,
                        TransactionInput.NULL_INDEX,
                        CoinbaseScript.placeholder(height, "/PRISM/", 8),
                        0xfffffffeL,
                        List.of(reserved))),
                List.of(
                        new TransactionOutput(template.terms().coinbaseValueSats(), payTo.script()),
                        new TransactionOutput(0, WitnessCommitment.script(commitment))),
                height - 1);
        return CoinbaseSplit.of(coinbase.bytes(), coinbase.txid(), 8);
    }
}

package org.prismpool.templates.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.job.AssembledBlock;
import org.prismpool.templates.job.BlockAssembler;
import org.prismpool.templates.job.WorkTemplate;

/** What each submission and each solve costs. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AssemblyBenchmark {

    /** Transactions of the template. */
    @Param({"0", "5000"})
    public int transactions;

    /** Payout outputs of the coinbase. */
    @Param({"1", "16"})
    public int payouts;

    private final BlockAssembler assembler = new BlockAssembler();
    private WorkTemplate work;
    private List<Hash256> txids;
    private long nonce;

    /** Builds the work. */
    @Setup
    public void build() {
        work = BenchmarkTemplates.work(transactions, payouts);
        txids = work.transactions().txids();
    }

    /**
     * Assembles and hashes a header, as every submission does.
     *
     * @return whether it passes
     */
    @Benchmark
    public boolean header() {
        assembler.assemble(
                work,
                BenchmarkTemplates.EXTRANONCE1,
                BenchmarkTemplates.EXTRANONCE2,
                work.version(),
                work.ntime(),
                nonce++ & 0xffffffffL);
        return assembler.meets(work.networkTarget());
    }

    /**
     * Assembles a whole block, as every solve does.
     *
     * @return the block
     */
    @Benchmark
    public AssembledBlock block() {
        return assembler.block(
                work,
                BenchmarkTemplates.EXTRANONCE1,
                BenchmarkTemplates.EXTRANONCE2,
                work.version(),
                work.ntime(),
                nonce++ & 0xffffffffL);
    }

    /**
     * Assembles a whole block in the text form of its submission.
     *
     * @return hex
     */
    @Benchmark
    public String blockHex() {
        return block().hex();
    }

    /**
     * Computes the merkle branch of the coinbase.
     *
     * @return the branch
     */
    @Benchmark
    public MerkleBranch merkleBranch() {
        return MerkleBranch.ofLeafZero(txids);
    }
}

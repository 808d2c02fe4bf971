package org.prismpool.app.demo.miner;

import java.math.BigDecimal;
import java.util.HexFormat;

/**
 * One job as this connection may work on it: the notify fields, the connection's extranonce1 and version mask, and the
 * share target that was in force when the job came. Immutable.
 */
final class MiningWork {

    private final StratumSession session;
    private final NotifiedJob job;
    private final HeaderAssembly assembly;
    private final BigDecimal difficulty;
    private final HashThreshold shareThreshold;
    private final HashThreshold networkThreshold;
    private final int cleanJobs;

    /** @param cleanJobs how many clean jobs the session had seen when this work came */
    MiningWork(StratumSession session, NotifiedJob job, BigDecimal difficulty, int cleanJobs) {
        this.session = session;
        this.job = job;
        byte[] extranonce1 = HexFormat.of().parseHex(session.extranonce1());
        this.assembly = new HeaderAssembly(job, extranonce1, session.versionMask());
        this.difficulty = difficulty;
        this.shareThreshold = HashThreshold.ofDifficulty(difficulty);
        this.cleanJobs = cleanJobs;
        this.networkThreshold = HashThreshold.ofCompact(job.bits());
    }

    StratumSession session() {
        return session;
    }

    int cleanJobs() {
        return cleanJobs;
    }

    NotifiedJob job() {
        return job;
    }

    HeaderAssembly assembly() {
        return assembly;
    }

    BigDecimal difficulty() {
        return difficulty;
    }

    HashThreshold shareThreshold() {
        return shareThreshold;
    }

    HashThreshold networkThreshold() {
        return networkThreshold;
    }
}

package org.prismpool.sharewriter.postgres;

import org.junit.jupiter.api.AfterEach;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.contract.BlockContract;
import org.prismpool.sharewriter.contract.FanoutContract;
import org.prismpool.sharewriter.contract.MinerReadsContract;
import org.prismpool.sharewriter.contract.OutboxContract;
import org.prismpool.sharewriter.contract.PublicReadsContract;
import org.prismpool.sharewriter.contract.SettlementReadsContract;
import org.prismpool.sharewriter.contract.ShareContract;
import org.prismpool.sharewriter.contract.WindowContract;

class PostgresLedgerIT
        implements ShareContract,
                WindowContract,
                BlockContract,
                OutboxContract,
                FanoutContract,
                PublicReadsContract,
                MinerReadsContract,
                SettlementReadsContract {

    private final TestLedger postgres = TestLedger.open();

    @AfterEach
    void close() {
        postgres.close();
    }

    @Override
    public Ledger ledger() {
        return postgres.ledger();
    }
}

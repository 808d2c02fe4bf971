package org.prismpool.sharewriter.memory;

import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.contract.BlockContract;
import org.prismpool.sharewriter.contract.FanoutContract;
import org.prismpool.sharewriter.contract.MinerReadsContract;
import org.prismpool.sharewriter.contract.OutboxContract;
import org.prismpool.sharewriter.contract.PublicReadsContract;
import org.prismpool.sharewriter.contract.SettlementReadsContract;
import org.prismpool.sharewriter.contract.ShareContract;
import org.prismpool.sharewriter.contract.WindowContract;

class MemoryLedgerTest
        implements ShareContract,
                WindowContract,
                BlockContract,
                OutboxContract,
                FanoutContract,
                PublicReadsContract,
                MinerReadsContract,
                SettlementReadsContract {

    private final Ledger ledger = new MemoryLedger(System::currentTimeMillis);

    @Override
    public Ledger ledger() {
        return ledger;
    }
}

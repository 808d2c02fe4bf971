package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.stratum.WorkedExample.BITS;
import static org.prismpool.stratum.WorkedExample.EN2;
import static org.prismpool.stratum.WorkedExample.NTIME;
import static org.prismpool.stratum.WorkedExample.USER;

import java.math.BigInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.stratum.AcceptedShare;
import org.prismpool.stratum.WorkedExample;
import org.prismpool.templates.job.AssembledBlock;

/** Spec 02 §5.6, byte by byte: acceptance 23 to 26. */
class WorkedExampleTest {

    private final Rig rig = new Rig();
    private FakeWire miner;

    @BeforeEach
    void connectAsNumber42WithJob7() {
        for (int i = 1; i < 7; i++) {
            rig.services.jobNumbers.next();
        }
        miner = rig.connectAs(42);
        Rig.configure(miner);
        Rig.login(miner, USER, "x");
    }

    @Test
    void theWireShowsTheTranscriptOfTheExample() {
        assertThat(miner.sent)
                .containsExactly(
                        "{\"id\": 9, \"result\": {\"version-rolling\": true, \"version-rolling.mask\": \"1fffe000\"},"
                                + " \"error\": null}\n",
                        "{\"id\": 1, \"result\": [[], \"0000002a\", 8], \"error\": null}\n",
                        "{\"id\": 2, \"result\": true, \"error\": null}\n",
                        "{\"id\": null, \"method\": \"mining.set_difficulty\", \"params\": "
                                + "[0.00000000046565423739069247]}\n",
                        WorkedExample.NOTIFY_7 + "\n");
    }

    @Test
    void aSubmitGivesTheExamplesHashAndLedgerRow() {
        String answer = submit("1a2b3c51", BITS);

        assertThat(answer).isEqualTo("{\"id\": 5, \"result\": true, \"error\": null}\n");
        AcceptedShare share = rig.shares.shares.get(0);
        assertThat(share.submission().version()).isEqualTo(0x20a54000);
        assertThat(share.shareId())
                .isEqualTo(USER + ":" + share.submission().hash().displayHex());
        assertThat(share.submission().ntime()).isEqualTo(1_700_000_005L);
        assertThat(share.shareDifficulty()).isEqualTo(BigInteger.valueOf(1_000_000));
        assertThat(share.networkDifficulty()).isEqualTo(BigInteger.valueOf(1_000_000));
        assertThat(share.templateHeight()).isEqualTo(143);
        assertThat(share.minerId()).isEqualTo(WorkedExample.ADDRESS);
        assertThat(share.worker().programHex()).isEqualTo("aa".repeat(32));
        assertThat(share.creditPolicy()).isEmpty();
        assertThat(share.submission().extranonce2Hex()).isEqualTo(EN2);
    }

    @Test
    void repeatingASubmitIsADuplicateInAnyLetterCase() {
        assertThat(submit("1a2b3c51", "")).contains("\"result\": true");
        assertThat(rig.shares.shares.get(0).submission().hash().displayHex()).isEqualTo(WorkedExample.HASH_51_PLAIN);

        String duplicate = "{\"id\": 5, \"result\": null, \"error\": [22, \"duplicate share\", "
                + "{\"reason_id\": \"duplicate-share\"}]}\n";
        assertThat(submit("1a2b3c51", "")).isEqualTo(duplicate);
        assertThat(submit("1A2B3C51", "")).isEqualTo(duplicate);
        assertThat(Rig.submit(miner, USER, "prism-7", EN2, "6553F105", "1a2b3c51"))
                .isEqualTo(duplicate);
        assertThat(submit("1a2b3C51", "00000000")).isEqualTo(duplicate);
        assertThat(rig.shares.shares).hasSize(1);
    }

    @Test
    void aHashAboveTheTargetIsLowDifficultyAndItsRepeatADuplicate() {
        assertThat(submit("1a2b3c50", BITS))
                .contains("[23, \"low difficulty share\"")
                .contains("low-difficulty");
        assertThat(submit("1a2b3c50", BITS)).contains("[22, \"duplicate share\"");
        assertThat(rig.shares.shares).isEmpty();
    }

    @Test
    void aSolvedBlockIsAssembledWithTheJobsExtranonce() {
        assertThat(submit("00000000", BITS)).contains("\"result\": true");

        AssembledBlock block = rig.shares.enqueued.get(0).assemble();
        assertThat(block.size()).isEqualTo(481);
        assertThat(block.hash().displayHex())
                .isEqualTo("3a592ae5cef69310faf24bb31305555fcb09a41ed0dc51f2d24718b90335d3f4");
        assertThat(block.hex()).contains("2f505249534d2f0000002a0102030405060708feffffff");
        assertThat(rig.shares.solves).hasSize(1);
        assertThat(rig.shares.shares).hasSize(1);
    }

    @Test
    void theFirstHeaderOfTheExampleHashesAsWritten() {
        assertThat(submit("1a2b3c51", BITS)).contains("\"result\": true");
        assertThat(rig.shares.shares.get(0).submission().hash().displayHex()).isEqualTo(WorkedExample.HASH_51);
    }

    private String submit(String nonce, String bits) {
        return Rig.submit(miner, USER, "prism-7", EN2, NTIME, nonce, bits);
    }
}

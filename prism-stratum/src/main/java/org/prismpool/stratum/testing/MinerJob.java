package org.prismpool.stratum.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One update as a miner reads it.
 *
 * @param difficultyText announced difficulty as written
 * @param jobId job id
 * @param prevhash parent with its four-byte words reversed, hex
 * @param coinb1 coinbase before the extranonces, hex
 * @param coinb2 coinbase after the extranonces, hex
 * @param branch merkle branch, hex of each sibling
 * @param version version, hex
 * @param bits compact network target, hex
 * @param ntime time, hex
 * @param clean clean-jobs flag
 */
public record MinerJob(
        String difficultyText,
        String jobId,
        String prevhash,
        String coinb1,
        String coinb2,
        List<String> branch,
        String version,
        String bits,
        String ntime,
        boolean clean) {

    private static final String TEXT = "\\s*\"([^\"]*)\"\\s*";
    private static final Pattern NOTIFY = Pattern.compile("\"params\"\\s*:\\s*\\[" + TEXT + "," + TEXT + "," + TEXT
            + "," + TEXT + ",\\s*\\[([^\\]]*)\\]\\s*," + TEXT + "," + TEXT + "," + TEXT + ",\\s*(true|false)\\s*\\]");
    private static final Pattern DIFFICULTY = Pattern.compile("\"params\"\\s*:\\s*\\[\\s*([^\\]\\s]+)\\s*\\]");

    /** Copies the branch. */
    public MinerJob {
        branch = List.copyOf(branch);
    }

    /**
     * Returns the announced difficulty.
     *
     * @return the nearest double
     */
    public double difficulty() {
        return Double.parseDouble(difficultyText);
    }

    static MinerJob parse(String difficultyLine, String notifyLine) throws IOException {
        Matcher notify = NOTIFY.matcher(notifyLine);
        if (!notify.find()) {
            throw new IOException("not a job: " + notifyLine);
        }
        Matcher difficulty = DIFFICULTY.matcher(difficultyLine);
        if (!difficulty.find()) {
            throw new IOException("not a difficulty: " + difficultyLine);
        }
        List<String> branch = new ArrayList<>();
        Matcher sibling = Pattern.compile(TEXT).matcher(notify.group(5));
        while (sibling.find()) {
            branch.add(sibling.group(1));
        }
        return new MinerJob(
                difficulty.group(1),
                notify.group(1),
                notify.group(2),
                notify.group(3),
                notify.group(4),
                branch,
                notify.group(6),
                notify.group(7),
                notify.group(8),
                Boolean.parseBoolean(notify.group(9)));
    }
}

package org.prismpool.app.check;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.check.CheckRow.Level;

/**
 * The authorised prelaunch of the main network: three live rows may warn instead of fail, and only if all five values are
 * given as they must be. Anything unset or malformed is strict. Source: spec 01 §6.4.
 */
final class Prelaunch {

    private static final String SWITCH = "QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED";
    private static final String TIP_AGE = "QBIT_MAINNET_PRELAUNCH_MAX_TIP_AGE_SECONDS";
    private static final String GATE = "CKPOOL_NON_TEST_READINESS_GATE";
    private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private final Map<String, String> texts;

    Prelaunch(Map<String, String> texts) {
        this.texts = texts;
    }

    boolean authorised() {
        return Words.given(texts, "QBIT_CHAIN")
                        .map(chain -> chain.toLowerCase(Locale.ROOT))
                        .equals(Optional.of("mainnet"))
                && Words.flag(texts, "QBIT_PRODUCTION").equals(Optional.of(true))
                && Words.flag(texts, "QBIT_TOOLS_PRODUCTION").equals(Optional.of(true))
                && Words.flag(texts, GATE).equals(Optional.of(false))
                && Words.flag(texts, SWITCH).equals(Optional.of(false));
    }

    /** The level of a launch-dependent row that does not pass. */
    CheckRow notYet(String id, String detail) {
        return authorised() ? CheckRow.warn(id, detail + " (authorised prelaunch)") : CheckRow.fail(id, detail);
    }

    List<CheckRow> rows() {
        List<CheckRow> rows = new ArrayList<>();
        rows.add(readiness());
        if (Words.malformedFlag(texts, SWITCH)) {
            rows.add(CheckRow.fail("env." + SWITCH, "must be 1 or 0").withHint("unset it for strict checks"));
        } else if (Words.given(texts, SWITCH).isPresent() && !Words.isMainnet(texts)) {
            rows.add(CheckRow.fail("env." + SWITCH, "has a meaning on the main network only")
                    .withHint("unset it"));
        }
        rows.add(tipAge());
        return rows;
    }

    private CheckRow readiness() {
        if (authorised()) {
            return CheckRow.warn("launch.readiness", "authorised prelaunch: three rows are relaxed");
        }
        if (Words.flag(texts, SWITCH).equals(Optional.of(false))) {
            return CheckRow.fail("launch.readiness", SWITCH + "=0 without the whole prelaunch tuple")
                    .withHint("it needs QBIT_CHAIN=mainnet, QBIT_PRODUCTION=1, QBIT_TOOLS_PRODUCTION=1 and " + GATE
                            + "=0");
        }
        return CheckRow.pass("launch.readiness", "strict");
    }

    private CheckRow tipAge() {
        Optional<String> given = Optional.ofNullable(texts.get(TIP_AGE));
        String id = "env." + TIP_AGE;
        if (given.isEmpty()) {
            return CheckRow.pass(id, "unset");
        }
        boolean whole = given.get().matches("[0-9]{1,30}");
        if (!whole || new BigInteger(given.get()).signum() == 0 || new BigInteger(given.get()).compareTo(LONGEST) > 0) {
            return CheckRow.fail(id, "must be a whole number from 1 to " + LONGEST);
        }
        boolean allowed =
                Words.isMainnet(texts) && Words.flag(texts, "QBIT_PRODUCTION").equals(Optional.of(true));
        return new CheckRow(
                allowed ? Level.PASS : Level.FAIL,
                id,
                allowed ? given.get() + " s" : "needs QBIT_PRODUCTION=1 and the main network",
                Optional.empty());
    }
}

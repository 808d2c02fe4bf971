package org.prismpool.app.publicapi.model;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.app.publicapi.model.formula.WorkRate;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.WorkByWindow;

/** From the ledger's records to what documents are made of. */
final class Rates {

    private Rates() {}

    static BigDecimal of(WorkByWindow work, RateWindow window) {
        return WorkRate.terahashes(work.in(window).difficulty(), window.seconds());
    }

    static void put(Members into, String name, WorkByWindow work, RateWindow window) {
        into.decimal(name, of(work, window));
    }

    static Optional<Instant> instant(OptionalLong epochMs) {
        return epochMs.isPresent() ? Optional.of(Instant.ofEpochMilli(epochMs.getAsLong())) : Optional.empty();
    }

    static PageRequest request(Page page) {
        return new PageRequest(page.number(), page.limit());
    }
}

package org.prismpool.app.publicapi.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.publicapi.MinerModels;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.model.formula.RewardShare;
import org.prismpool.app.publicapi.query.Page;
import org.prismpool.app.publicapi.query.WorkersQuery;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.MinerAccount;
import org.prismpool.sharewriter.read.MinerActivity;
import org.prismpool.sharewriter.read.MinerEarning;
import org.prismpool.sharewriter.read.MinerPayout;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.MinerReads.WorkerFilter;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.RewardWindowAggregate;
import org.prismpool.sharewriter.read.WorkerBoard;

/** The pages about one miner; an unknown one has zeros. Thread-safe; blocks on node and ledger. Source: spec 08 §7.7. */
public final class MinerDocuments implements MinerModels {

    private static final PageRequest FIRST_FIVE = new PageRequest(1, 5);

    private final PublicLedger ledger;
    private final NetworkView network;
    private final PublicSettings settings;
    private final Clock clock;

    /**
     * Creates the pages.
     *
     * @param ledger ledger
     * @param network node
     * @param settings what the operator shows
     * @param clock wall clock of {@code generated_at}
     */
    public MinerDocuments(PublicLedger ledger, NetworkView network, PublicSettings settings, Clock clock) {
        this.ledger = ledger;
        this.network = network;
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public PublicBody miner(String recipient, Deadline deadline) {
        Instant now = clock.instant();
        BigInteger difficulty = network.current(deadline).bits().networkDifficulty(); // before any read
        MinerReads miners = ledger.miners();
        MinerActivity activity = miners.activity(recipient, deadline);
        MinerAccount account = miners.account(recipient, deadline);
        WorkerBoard workers = miners.workers(recipient, WorkerFilter.ALL, FIRST_FIVE, deadline);
        List<MinerPayout> payouts =
                miners.payouts(recipient, FIRST_FIVE, deadline).rows();
        Optional<BigDecimal> percent = windowPercent(ledger.windows().rewardWindow(difficulty, deadline), recipient);
        return Members.ofDocument("miner.v1", now)
                .with("recipient_id", recipient)
                .none("display_name")
                .with("owed_balance_bits", account.owedSats())
                .with("lifetime_earnings_bits", account.lifetimeGrossSats())
                .with("pending_maturity_bits", account.pendingMaturitySats())
                .with("unpaid_earnings_bits", account.owedSats())
                .with("minimum_payout_bits", settings.minimumPayoutBits())
                .object("hashrate_ths", rates(activity))
                .object("shares", shares(activity))
                .object(
                        "estimated_next_block",
                        new Members()
                                .decimalOrNull("share_percent", percent)
                                .orNull("estimated_reward_bits", percent.flatMap(part -> reward(part, deadline))))
                .orNull("estimated_time_to_minimum_payout_seconds", secondsToMinimum(account))
                .decimalOrNull("reward_window_percent", percent)
                .with("workers_currently_hashing", workers.activeCount())
                .with(
                        "workers",
                        workers.rows().stream().map(MinerShapes::worker).toList())
                .with("recent_payouts", payouts.stream().map(this::payout).toList())
                .body();
    }

    private static Members rates(MinerActivity activity) {
        Members rates = new Members();
        Rates.put(rates, "m1", activity.work(), RateWindow.M1);
        Rates.put(rates, "m5", activity.work(), RateWindow.M5);
        Rates.put(rates, "m10", activity.work(), RateWindow.M10);
        Rates.put(rates, "h3", activity.work(), RateWindow.H3);
        Rates.put(rates, "h24", activity.work(), RateWindow.H24);
        return rates;
    }

    private static Members shares(MinerActivity activity) {
        return new Members()
                .with("accepted_3h", activity.work().in(RateWindow.H3).shares())
                .decimal(
                        "accepted_difficulty_3h",
                        activity.work().in(RateWindow.H3).difficulty())
                .timeOrNull("last_share_at", activity.lastShareAt());
    }

    private static Optional<BigDecimal> windowPercent(RewardWindowAggregate window, String recipient) {
        BigInteger counted = window.miners().stream()
                .filter(miner -> miner.minerId().equals(recipient))
                .map(RewardWindowAggregate.MinerWork::counted)
                .findFirst()
                .orElse(BigInteger.ZERO);
        return RewardShare.percent(counted, window.countedWeight());
    }

    /** The next coinbase is taken to be worth what the newest block's was. */
    private Optional<BigInteger> reward(BigDecimal percent, Deadline deadline) {
        OptionalLong coinbase = ledger.blocks()
                .latest(deadline)
                .map(FoundBlock::coinbaseValueSats)
                .orElseGet(OptionalLong::empty);
        return coinbase.orElse(0) <= 0
                ? Optional.empty()
                : Optional.of(RewardShare.estimatedReward(percent, coinbase.getAsLong(), settings.feeBps()));
    }

    private Optional<Integer> secondsToMinimum(MinerAccount account) {
        boolean reached = account.owedSats().compareTo(BigInteger.valueOf(settings.minimumPayoutBits())) >= 0;
        return reached ? Optional.of(0) : Optional.empty();
    }

    @Override
    public PublicBody earnings(String recipient, Page page, Deadline deadline) {
        Instant now = clock.instant();
        Paged<MinerEarning> earnings = ledger.miners().earnings(recipient, Rates.request(page), deadline);
        return list("miner-earnings.v1", now, recipient)
                .with("pagination", page.pagination(earnings.totalCount()))
                .with(
                        "rows",
                        earnings.rows().stream()
                                .map(row -> MinerShapes.earning(row, settings.explorer()))
                                .toList())
                .body();
    }

    @Override
    public PublicBody payouts(String recipient, Page page, Deadline deadline) {
        Instant now = clock.instant();
        Paged<MinerPayout> payouts = ledger.miners().payouts(recipient, Rates.request(page), deadline);
        return list("miner-payouts.v1", now, recipient)
                .with("pagination", page.pagination(payouts.totalCount()))
                .with("rows", payouts.rows().stream().map(this::payout).toList())
                .body();
    }

    @Override
    public PublicBody workers(WorkersQuery query, Deadline deadline) {
        Instant now = clock.instant();
        WorkerFilter filter = new WorkerFilter(query.search().orElse(""), query.hideInactive());
        WorkerBoard workers = ledger.miners().workers(query.recipient(), filter, Rates.request(query.page()), deadline);
        return list("miner-workers.v1", now, query.recipient())
                .with("pagination", query.page().pagination(workers.totalCount()))
                .with("rows", workers.rows().stream().map(MinerShapes::worker).toList())
                .body();
    }

    private static Members list(String schema, Instant now, String recipient) {
        return Members.ofDocument(schema, now).with("recipient_id", recipient);
    }

    private Map<String, @Nullable Object> payout(MinerPayout payout) {
        return MinerShapes.payout(payout, settings.explorer());
    }
}

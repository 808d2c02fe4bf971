package org.prismpool.stratum.session;

import java.math.BigDecimal;
import java.util.Optional;
import org.prismpool.stratum.vardiff.DifficultyRange;
import org.prismpool.stratum.vardiff.VardiffPolicy;

/**
 * What a miner's wishes come to (spec 02 §4.5): a pure function of the listener's own policy, so that repeated wishes never
 * compound.
 *
 * @param target difficulty to use, or empty if nothing was asked
 * @param policy policy of the session from now on
 */
public record DifficultyWish(Optional<BigDecimal> target, VardiffPolicy policy) {

    /**
     * Resolves wishes.
     *
     * @param listener the listener's policy
     * @param options wishes of the password; its difficulty outranks the suggestion
     * @param suggestion last valid suggestion, or empty
     * @param current difficulty last delivered, used if only a minimum was asked
     * @return the resolution
     */
    public static DifficultyWish resolve(
            VardiffPolicy listener, PasswordOptions options, Optional<BigDecimal> suggestion, BigDecimal current) {
        Optional<BigDecimal> requested = options.difficulty()
                .or(() -> suggestion)
                .or(() -> options.minimum().map(minimum -> current));
        if (requested.isEmpty()) {
            return new DifficultyWish(Optional.empty(), listener);
        }
        DifficultyRange range = listener.range();
        BigDecimal floor = options.minimum().map(range::clamp).orElse(range.min());
        BigDecimal target = DifficultyRange.clamp(requested.get(), floor, range.max());
        return new DifficultyWish(Optional.of(target), listener.personal(floor, target));
    }
}

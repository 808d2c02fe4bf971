package org.prismpool.app.composition;

import java.util.OptionalInt;
import org.prismpool.app.composition.settings.StratumSettings;
import org.prismpool.config.Environment;
import org.prismpool.config.render.ConfigPrinter;
import org.prismpool.config.variable.BundleVariables;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.config.variable.StratumVariables;
import org.prismpool.config.variable.Variable;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.stratum.StratumServer;
import org.prismpool.templates.VersionMaskProbe;
import org.prismpool.templates.chain.VersionLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line for each listener, once every start check has passed. Source: spec 08 §8.6. */
final class StartBanner {

    private static final Logger LOG = LoggerFactory.getLogger(StartBanner.class);

    private StartBanner() {}

    static void log(Environment e, VersionMaskProbe.Probed mask, Ledger ledger, StratumServer stratum) {
        for (String listener : StratumSettings.listenerNames(e)) {
            boolean highDiff = listener.equals("highdiff");
            Variable<?> bind = highDiff ? DifficultyVariables.STRATUM_HIGHDIFF_BIND : StratumVariables.STRATUM_BIND;
            Variable<?> difficulty =
                    highDiff ? DifficultyVariables.STRATUM_HIGHDIFF_SHARE_DIFF : DifficultyVariables.STRATUM_SHARE_DIFF;
            OptionalInt port = stratum.port(listener);
            LOG.atInfo()
                    .addKeyValue("listener", listener)
                    .addKeyValue("bind", shown(e, bind) + ":" + port.orElse(0))
                    .addKeyValue("share_diff", shown(e, difficulty))
                    .addKeyValue("ready_miners", shown(e, BundleVariables.MIN_READY_MINERS))
                    .addKeyValue("vardiff", shown(e, DifficultyVariables.STRATUM_VARDIFF))
                    .addKeyValue("max_blocks", shown(e, LifecycleVariables.MAX_BLOCKS))
                    .addKeyValue("blockpoll", shown(e, RefreshVariables.BLOCKPOLL_SECONDS))
                    .addKeyValue("version_mask", VersionLayout.hex(mask.mask()))
                    .addKeyValue("version_mask_source", mask.source())
                    .addKeyValue("ledger", ledger.backend())
                    .addKeyValue("ledger_execution", ledger.durable() ? "pooled" : "in-process")
                    .addKeyValue("hot_path_log", shown(e, LifecycleVariables.HOT_PATH_LOG))
                    .log("prism coordinator listens");
        }
    }

    private static String shown(Environment e, Variable<?> variable) {
        return ConfigPrinter.shown(variable, e).orElse("");
    }
}

package org.prismpool.stratum.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.prismpool.stratum.StratumMetrics.CoinbaseBudget;

/** Classes of mining devices by the agent of their subscribe, with the coinbase size each can take (spec 02 §5.7). */
public final class AgentClasses {

    /**
     * A class of devices.
     *
     * @param budget its label
     * @param bytes largest coinb1 + coinb2
     */
    public record AgentClass(CoinbaseBudget budget, int bytes) {}

    private static final AgentClass STANDARD = new AgentClass(CoinbaseBudget.STANDARD, 16384);

    private record Entry(String prefix, AgentClass agentClass) {}

    private final List<Entry> entries = new ArrayList<>();

    /** Loads the table that comes with this library. */
    public AgentClasses() {
        Properties table = new Properties();
        try (InputStream in = AgentClasses.class.getResourceAsStream("agents.properties")) {
            if (in == null) {
                throw new IllegalStateException("agents.properties is missing from the library");
            }
            table.load(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        for (String prefix : table.stringPropertyNames()) {
            String[] value = table.getProperty(prefix).split(" ", 2);
            CoinbaseBudget budget = CoinbaseBudget.valueOf(value[0].toUpperCase(Locale.ROOT));
            AgentClass agentClass = new AgentClass(budget, Integer.parseInt(value[1]));
            entries.add(new Entry(prefix.toLowerCase(Locale.ROOT), agentClass));
        }
        entries.sort(Comparator.comparingInt((Entry entry) -> entry.prefix().length())
                .reversed());
    }

    /**
     * Finds the class of an agent.
     *
     * @param agent first parameter of subscribe, any text
     * @return class of the longest prefix in the table, the standard one if none matches
     */
    public AgentClass of(String agent) {
        String lower = agent.toLowerCase(Locale.ROOT);
        for (Entry entry : entries) {
            if (lower.startsWith(entry.prefix())) {
                return entry.agentClass();
            }
        }
        return STANDARD;
    }
}

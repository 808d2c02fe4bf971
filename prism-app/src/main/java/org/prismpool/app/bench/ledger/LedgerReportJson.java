package org.prismpool.app.bench.ledger;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.prismpool.sharewriter.bench.LedgerReport;
import org.prismpool.sharewriter.bench.LedgerReport.Latency;
import org.prismpool.sharewriter.bench.LedgerReport.Throughput;

/** A ledger report as {@code qbit.prism.postgres-throughput.v1}. */
final class LedgerReportJson {

    private static final String SCHEMA = "qbit.prism.postgres-throughput.v1";
    private static final List<String> DURABILITY = List.of("fsync", "full_page_writes", "synchronous_commit");

    private LedgerReportJson() {}

    static String of(LedgerReport report, int shares, long gate) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("schema", SCHEMA);
        root.put("shares", shares);
        root.put("shares_per_second", rounded(report.defaults().writer()));
        root.put("min_shares_per_second", gate);
        root.put("postgres_server_version", report.server().version());
        ObjectNode durability = root.putObject("durability");
        for (int i = 0; i < DURABILITY.size(); i++) {
            durability.put(DURABILITY.get(i), report.server().durability().get(i));
        }
        ObjectNode throughput = root.putObject("throughput");
        throughput(throughput.putObject("default_settings"), report.defaults());
        throughput(throughput.putObject("batches_of_64"), report.batch64());
        throughput(throughput.putObject("batches_of_512"), report.batch512());
        ObjectNode latency = root.putObject("latency_milliseconds");
        latency(latency.putObject("one_append"), report.commit());
        latency(latency.putObject("acknowledgement"), report.paced());
        if (report.windowShares() > 0) {
            ObjectNode window = root.putObject("window");
            window.put("shares", report.windowShares());
            window.put("cold_read_milliseconds", rounded(report.windowCold()));
            window.put("tail_read_milliseconds", rounded(report.windowTail()));
        }
        report.server().windowPlan().forEach(root.putArray("query_plan")::add);
        return root.toPrettyString();
    }

    private static void throughput(ObjectNode into, Throughput measured) {
        into.put("writer_shares_per_second", rounded(measured.writer()));
        into.put("reference_shares_per_second", rounded(measured.reference()));
        into.put("ratio", rounded(measured.ratio()));
        into.put("bare_insert_shares_per_second", rounded(measured.bare()));
        into.put("of_bare_insert", rounded(measured.ofPossible()));
    }

    private static void latency(ObjectNode into, Latency measured) {
        into.put("p50", rounded(measured.p50()));
        into.put("p99", rounded(measured.p99()));
        into.put("max", rounded(measured.max()));
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}

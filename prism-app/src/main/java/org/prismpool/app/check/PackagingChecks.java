package org.prismpool.app.check;

import com.google.common.net.InetAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rows about names that packaging reads: node arguments, source pins, published addresses, release provenance. A check outside
 * a container gives none of these names, and then there is nothing to judge. Source: spec 01 §6.2.
 */
final class PackagingChecks {

    private static final Pattern COMMIT = Pattern.compile("[0-9a-fA-F]{40}");
    private static final Pattern PINNED_IMAGE = Pattern.compile("[^@\\s]+@sha256:[0-9a-f]{64}");
    private static final List<String> IMAGES = List.of("PRISM_COORDINATOR_IMAGE", "PRISM_POSTGRES_IMAGE");
    private static final List<String> SOURCES =
            List.of("PRISM_COORDINATOR_DATA_SOURCE", "PRISM_POSTGRES_DATA_SOURCE", "PRISM_POSTGRES_WAL_SOURCE");

    private final Map<String, String> texts;
    private final boolean production;

    PackagingChecks(Map<String, String> texts) {
        this.texts = texts;
        this.production = Words.isProduction(texts);
    }

    List<CheckRow> rows() {
        List<CheckRow> rows = new ArrayList<>();
        rows.add(chainFlag());
        pinned("qbit.source_pin", "QBIT_GIT_COMMIT").ifPresent(rows::add);
        for (String name : List.of("CKPOOL_GIT_REF", "CPUMINER_GIT_REF")) {
            pinned("source." + name, name).ifPresent(rows::add);
        }
        rows.add(rpcBind());
        rows.add(provenance());
        return rows;
    }

    private CheckRow chainFlag() {
        Optional<String> flag = Words.given(texts, "QBIT_CHAIN_FLAG");
        String chain = Words.given(texts, "QBIT_CHAIN").orElse("regtest").toLowerCase(Locale.ROOT);
        String expected = switch (chain) {
            case "main", "mainnet" -> "-chain=main";
            case "regtest" -> "-regtest";
            case "test", "testnet" -> "-testnet";
            case "testnet3", "testnet4", "signet" -> "-" + chain;
            default -> "";
        };
        if (expected.isEmpty()) {
            return CheckRow.fail("qbit.chain_flag", "QBIT_CHAIN names no known chain");
        }
        if (flag.isEmpty()) {
            return CheckRow.pass("qbit.chain_flag", "not given; the node has its own configuration");
        }
        return CheckRow.judged(flag.get().equals(expected), "qbit.chain_flag", "QBIT_CHAIN_FLAG must be " + expected);
    }

    private Optional<CheckRow> pinned(String id, String name) {
        return Words.given(texts, name).map(commit -> {
            boolean exact = COMMIT.matcher(commit).matches();
            return exact || !production
                    ? CheckRow.pass(id, exact ? commit : "not pinned to a commit")
                    : CheckRow.fail(id, name + " must be exactly 40 hex digits in production");
        });
    }

    private CheckRow rpcBind() {
        String mapping = Words.given(texts, "QBIT_RPC_PORT_HOST").orElse("127.0.0.1:18452");
        boolean explicit = mapping.lastIndexOf(':') > 0;
        boolean inside = PublishedPort.parse(mapping)
                .map(published -> isPrivate(published.host()))
                .orElse(false);
        if (!production || (explicit && inside)) {
            return CheckRow.pass("qbit.rpc_bind", mapping);
        }
        return CheckRow.fail("qbit.rpc_bind", "QBIT_RPC_PORT_HOST must be host:port on loopback or a private network")
                .withHint("for example 127.0.0.1:8352");
    }

    /** Loopback and private networks, by number only: a name could point anywhere tomorrow. */
    static boolean isPrivate(String host) {
        if (!InetAddresses.isInetAddress(host)) {
            return false;
        }
        InetAddress address = InetAddresses.forString(host);
        byte[] bytes = address.getAddress();
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        if (address instanceof Inet4Address) {
            return first == 127
                    || first == 10
                    || (first == 100 && second >= 64 && second < 128)
                    || (first == 172 && second >= 16 && second < 32)
                    || (first == 192 && second == 168);
        }
        boolean uniqueLocal = (first & 0xfe) == 0xfc;
        return address.isLoopbackAddress() || uniqueLocal || address.isLinkLocalAddress();
    }

    private CheckRow provenance() {
        boolean packaged = texts.keySet().stream().anyMatch(name -> IMAGES.contains(name) || SOURCES.contains(name));
        if (!packaged) {
            return CheckRow.pass(
                    "release.provenance", "not a packaged deployment: no image and no data source is named");
        }
        boolean required = Words.isMainnet(texts)
                || Words.flag(texts, "QBIT_REQUIRE_RELEASE_PROVENANCE").orElse(false);
        if (!required) {
            return production
                    ? CheckRow.warn("release.provenance", "not required here")
                            .withHint("QBIT_REQUIRE_RELEASE_PROVENANCE=1 demands pinned images and absolute paths")
                    : CheckRow.pass("release.provenance", "not required here");
        }
        return provenanceProblem()
                .map(problem -> CheckRow.fail("release.provenance", problem))
                .orElseGet(() -> CheckRow.pass("release.provenance", "images and data sources are pinned"));
    }

    private Optional<String> provenanceProblem() {
        for (String name : IMAGES) {
            if (!PINNED_IMAGE.matcher(Words.given(texts, name).orElse("")).matches()) {
                return Optional.of(name + " must be name@sha256: and 64 hex digits");
            }
        }
        List<String> seen = new ArrayList<>();
        for (String name : SOURCES) {
            String path = Words.given(texts, name).orElse("").replaceFirst("/$", "");
            if (!path.startsWith("/")) {
                return Optional.of(name + " must be an absolute path");
            }
            if (seen.contains(path)) {
                return Optional.of(name + " names a path twice");
            }
            seen.add(path);
        }
        return Optional.empty();
    }
}

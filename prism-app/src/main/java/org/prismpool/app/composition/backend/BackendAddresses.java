package org.prismpool.app.composition.backend;

import java.nio.file.Path;
import java.util.Optional;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.templates.rpc.RpcCredentials;

/** Where a configuration's node and database are, for programs that ask them without running a pool. */
public final class BackendAddresses {

    private BackendAddresses() {}

    /**
     * Returns how the node is asked.
     *
     * @param e values, not necessarily complete
     * @return the cookie file, or user and password; empty if neither is complete
     */
    public static Optional<RpcCredentials> nodeCredentials(Environment e) {
        Optional<RpcCredentials> cookie =
                e.find(NodeVariables.QBIT_RPC_COOKIE_FILE).map(file -> new RpcCredentials.CookieFile(Path.of(file)));
        return cookie.or(() -> e.find(NodeVariables.QBIT_RPC_USER)
                .flatMap(user -> e.find(NodeVariables.QBIT_RPC_PASSWORD)
                        .map(password -> new RpcCredentials.UserPassword(user, password.reveal()))));
    }

    /**
     * Returns the ledger's database.
     *
     * @param e values, not necessarily complete
     * @return the database, empty if none is configured
     */
    public static Optional<PostgresTarget> database(Environment e) {
        return LedgerParts.databaseUrl(e)
                .map(url -> PostgresTarget.parse(url.dsn().reveal()));
    }

    /**
     * Returns the database of the public process, with the driver's own password variable where the address has none; the
     * writer's password is not this process's.
     *
     * @param e values of the public role, not necessarily complete
     * @return the database, empty if none is configured
     */
    public static Optional<PostgresTarget> publicDatabase(Environment e) {
        return e.find(PublicApiVariables.PUBLIC_DATABASE_URL)
                .map(url -> e.find(LedgerVariables.PGPASSWORD)
                        .map(url::withPasswordIfAbsent)
                        .orElse(url))
                .map(url -> PostgresTarget.parse(url.dsn().reveal()));
    }
}

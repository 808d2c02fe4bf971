package org.prismpool.templates.rpc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** How the client proves itself to the node (HTTP Basic). Never shown in text form. */
public sealed interface RpcCredentials {

    /**
     * Reads the current secret.
     *
     * @return user, colon, password
     * @throws IOException if a cookie file can't be read
     */
    String userInfo() throws IOException;

    /**
     * Returns the header value.
     *
     * @return value of {@code Authorization}
     * @throws IOException if a cookie file can't be read
     */
    default String authorization() throws IOException {
        return "Basic " + Base64.getEncoder().encodeToString(userInfo().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Configured user and password.
     *
     * @param user without a colon
     * @param password secret
     */
    record UserPassword(String user, String password) implements RpcCredentials {

        /** Checks that the pair can be told apart. */
        public UserPassword {
            if (user.isEmpty() || user.indexOf(':') >= 0 || password.isEmpty()) {
                throw new IllegalArgumentException("RPC user and password must not be empty, the user without a colon");
            }
        }

        @Override
        public String userInfo() {
            return user + ":" + password;
        }

        @Override
        public String toString() {
            return "UserPassword[***]";
        }
    }

    /**
     * The cookie file that the node rewrites at each start.
     *
     * @param file path of the file
     */
    record CookieFile(Path file) implements RpcCredentials {
        @Override
        public String userInfo() throws IOException {
            String cookie = Files.readString(file, StandardCharsets.UTF_8).strip();
            if (cookie.indexOf(':') < 1) {
                throw new IOException("RPC cookie file has no user and password");
            }
            return cookie;
        }
    }
}

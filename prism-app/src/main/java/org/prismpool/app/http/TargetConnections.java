package org.prismpool.app.http;

import java.util.Optional;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Connections that remember what the request being read asks for: the server puts a stand-in in the place of a target that it
 * refuses, and the refusal must have the form of the zone that the target points to.
 */
final class TargetConnections extends HttpConnectionFactory {

    TargetConnections(HttpConfiguration configuration) {
        super(configuration);
    }

    /** The target as sent; empty if the request broke off before it. */
    static Optional<String> target(Request request) {
        return request.getConnectionMetaData() instanceof Remembering connection
                ? Optional.of(connection.target).filter(known -> !known.isEmpty())
                : Optional.empty();
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        return configure(new Remembering(getHttpConfiguration(), connector, endPoint), connector, endPoint);
    }

    private static final class Remembering extends HttpConnection {

        private volatile String target = ""; // written by whoever parses, read by whoever answers

        private Remembering(HttpConfiguration configuration, Connector connector, EndPoint endPoint) {
            super(configuration, connector, endPoint);
        }

        @Override
        protected RequestHandler newRequestHandler() {
            return new RequestHandler() {
                @Override
                public void messageBegin() {
                    target = "";
                    super.messageBegin();
                }

                @Override
                public void startRequest(String method, String uri, HttpVersion version) {
                    target = uri;
                    super.startRequest(method, uri, version);
                }
            };
        }
    }
}

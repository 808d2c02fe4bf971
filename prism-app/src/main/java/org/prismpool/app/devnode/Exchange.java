package org.prismpool.app.devnode;

import java.time.Duration;
import org.prismpool.app.devnode.rpc.RpcAnswer;

/** How a call ends, as seen by whoever carries the answer to the caller. */
sealed interface Exchange {

    /** Text for the recorder. */
    String outcome();

    record Answered(RpcAnswer answer) implements Exchange {
        @Override
        public String outcome() {
            return answer instanceof RpcAnswer.Failure failure ? "error " + failure.code() : "ok";
        }
    }

    record Dripped(RpcAnswer answer, Duration interval) implements Exchange {
        @Override
        public String outcome() {
            return "drip";
        }
    }

    record Raw(int status, String contentType, String body) implements Exchange {
        @Override
        public String outcome() {
            return "raw " + status;
        }
    }

    record Hung(boolean headersFirst) implements Exchange {
        @Override
        public String outcome() {
            return "hang";
        }
    }

    record Dropped() implements Exchange {
        @Override
        public String outcome() {
            return "drop";
        }
    }
}

package org.prismpool.payout.tool;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * The streams of one run.
 *
 * @param in standard input; read only where the arguments say so
 * @param out standard output; bytes are written to it as they are
 * @param err standard error; gets one line when a run fails
 */
public record ToolStreams(InputStream in, PrintStream out, PrintStream err) {}

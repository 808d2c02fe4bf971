/**
 * The command-line tools of audits, reorganisations and keys as plain functions: arguments and streams in, exit status out.
 * Messages, order of checks and output are those of the reference's tools (payout specification 12).
 */
@NullMarked
package org.prismpool.payout.tool;

import org.jspecify.annotations.NullMarked;

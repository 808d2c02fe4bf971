/** Subcommands of the prism program, one class each. */
@NullMarked
package org.prismpool.app.command;

import org.jspecify.annotations.NullMarked;

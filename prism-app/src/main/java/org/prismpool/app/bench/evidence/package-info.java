/** The {@code prism bench evidence} command: checks a document that claims what a deployment can bear. */
@NullMarked
package org.prismpool.app.bench.evidence;

import org.jspecify.annotations.NullMarked;

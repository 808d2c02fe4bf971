/** What the coordinator stands on: node, ledger and audit files, opened from the environment and handed to their owners. */
@NullMarked
package org.prismpool.app.composition.backend;

import org.jspecify.annotations.NullMarked;

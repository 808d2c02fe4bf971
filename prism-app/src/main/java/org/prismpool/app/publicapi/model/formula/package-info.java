/** Formulas of the public API: exact, without clock, ledger or node. Source: spec 08 §7.8. */
@NullMarked
package org.prismpool.app.publicapi.model.formula;

import org.jspecify.annotations.NullMarked;

/** Private HTTP endpoints over the ledger and the audit files. Source: spec 08 §7.2 and §7.3. */
@NullMarked
package org.prismpool.app.endpoint;

import org.jspecify.annotations.NullMarked;

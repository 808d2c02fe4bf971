/** What the public API shows: read models over ledger, node and audit files. Source: spec 08 §7.7 to §7.9. */
@NullMarked
package org.prismpool.app.publicapi.model;

import org.jspecify.annotations.NullMarked;

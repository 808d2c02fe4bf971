/** Tests of the share ledger. */
@NullMarked
package org.prismpool.sharewriter.contract;

import org.jspecify.annotations.NullMarked;

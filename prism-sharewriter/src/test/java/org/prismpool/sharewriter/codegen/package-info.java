/** Tests of the share ledger. */
@NullMarked
package org.prismpool.sharewriter.codegen;

import org.jspecify.annotations.NullMarked;

/** Judging submitted work: header assembly, classification, duplicates and the reasons of a rejection. */
@NullMarked
package org.prismpool.stratum.share;

import org.jspecify.annotations.NullMarked;

/**
 * {@code prism bench}: measurements of whole paths on this machine, each in a package of its own. Figures are for comparing
 * runs on one machine; only ratios and shapes belong in documents.
 */
@NullMarked
package org.prismpool.app.bench;

import org.jspecify.annotations.NullMarked;

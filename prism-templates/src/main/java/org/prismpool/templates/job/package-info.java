/**
 * From a template to the work of miners and to block bytes: transaction set, coinbase split, shared work, assembly.
 *
 * <p>Values and calculations only; nothing here waits or reads a clock.
 */
@NullMarked
package org.prismpool.templates.job;

import org.jspecify.annotations.NullMarked;

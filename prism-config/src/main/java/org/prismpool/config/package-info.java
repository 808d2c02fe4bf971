/** Typed environment variables: one registry, one report with every finding. */
@NullMarked
package org.prismpool.config;

import org.jspecify.annotations.NullMarked;

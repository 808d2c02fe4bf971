/** Variables, their parsers and the registry classes, one per owner area. */
@NullMarked
package org.prismpool.config.variable;

import org.jspecify.annotations.NullMarked;

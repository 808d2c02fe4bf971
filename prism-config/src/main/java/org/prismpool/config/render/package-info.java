/** Texts made from the registry: explain, print, environment template, Markdown table. */
@NullMarked
package org.prismpool.config.render;

import org.jspecify.annotations.NullMarked;

/** The owners that watch and end the process, and what feeds them. */
@NullMarked
package org.prismpool.app.composition.health;

import org.jspecify.annotations.NullMarked;

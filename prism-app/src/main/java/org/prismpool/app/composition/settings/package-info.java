/** Environment values bound to the config records of the owners. */
@NullMarked
package org.prismpool.app.composition.settings;

import org.jspecify.annotations.NullMarked;

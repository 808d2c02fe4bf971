@NullMarked
package org.prismpool.app.composition.settings;

import org.jspecify.annotations.NullMarked;

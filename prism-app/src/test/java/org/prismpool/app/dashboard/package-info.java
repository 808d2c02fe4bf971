@NullMarked
package org.prismpool.app.dashboard;

import org.jspecify.annotations.NullMarked;

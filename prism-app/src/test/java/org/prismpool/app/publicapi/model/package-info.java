@NullMarked
package org.prismpool.app.publicapi.model;

import org.jspecify.annotations.NullMarked;

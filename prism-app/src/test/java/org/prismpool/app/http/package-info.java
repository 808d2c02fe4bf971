@NullMarked
package org.prismpool.app.http;

import org.jspecify.annotations.NullMarked;

@NullMarked
package org.prismpool.app.demo;

import org.jspecify.annotations.NullMarked;

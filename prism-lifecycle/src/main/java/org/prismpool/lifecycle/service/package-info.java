/** Background services: loops with heartbeats, failure policies and bounded joins. */
@NullMarked
package org.prismpool.lifecycle.service;

import org.jspecify.annotations.NullMarked;

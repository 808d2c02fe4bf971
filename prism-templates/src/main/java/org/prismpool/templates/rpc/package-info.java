/**
 * Typed JSON-RPC of the node over HTTP: one wall-clock deadline per call, failures by class and code.
 */
@NullMarked
package org.prismpool.templates.rpc;

import org.jspecify.annotations.NullMarked;

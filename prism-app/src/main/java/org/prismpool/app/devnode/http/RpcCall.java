package org.prismpool.app.devnode.http;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One call of a request body.
 *
 * @param id the caller's id, any JSON value
 * @param method method name; empty when the request names none
 * @param params parameters, a JSON null for none
 * @param version2 whether the caller asked for JSON-RPC 2.0
 * @param notification whether the caller wants no answer, which only 2.0 knows
 */
public record RpcCall(JsonNode id, String method, JsonNode params, boolean version2, boolean notification) {}
